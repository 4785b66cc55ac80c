#!/usr/bin/env bash
# Tunes `two-depths` and `plies` with the same effort: the same parameters of what they share, the same number
# of games, 20,000 nodes a move. Each goes on from what is kept beside this file. Some four hours of one core.
set -euo pipefail
cd "$(dirname "$0")"
shared=(
  NullMove.reduction=40 NullMove.slope=6 NullMove.per_ply=30
  LateMoveReduction.base=20 LateMoveReduction.divisor=30 LateMoveReduction.pv=25 LateMoveReduction.cut=25
  LateMoveReduction.worsening=20 LateMoveReduction.killer=25 LateMoveReduction.check=40
  LateMoveReduction.history=1200
  Singular.margin=0.8 Singular.double=5 Singular.extension=15
  ReverseFutility.margin=10 ReverseFutility.improving=12 Futility.base=15 Futility.margin=12
  LateMovePruning.base=0.8 ExchangePruning.quiet=10 ExchangePruning.noisy=4
)
two_depths=(Abc.floor=10 Abc.delta=12 Abc.share=15 Abc.coupling=5)
tune() { # PLAYER FILE PARAMETER...
  local player=$1 file=$2
  shift 2
  cassius lab spsa "$player" "${@/#/--tune=}" --nodes 20k --steps 320 --pairs 8 --out "$file"
}
tune plies spsa-plies.jsonl "${shared[@]}" &
tune two-depths,LearnedOptions.farness=700 spsa-two-depths.jsonl "${shared[@]}" "${two_depths[@]}"
wait
