//! Positions of the papers, and positions that demonstrate the papers' points, as FEN.

/// Kaindl 1983, Figure 1, White to play; also *Win at Chess* 18. Either the rook on h8 wins the other
/// rook, or the pawn promotes.
pub const KAINDL_1: &str = "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1";

/// Kaindl 1983, Figure 2, White to play; also *Win at Chess* 49. Mate in 11 plies: 1. Qxh7+ Kxh7 2. Rh5+
/// Kg8 3. Ng6 Qg2+ 4. Rxg2 (or Qh2+ 4. Kxh2) Rf8 5. Rh8+ Kf7 6. Rxf8#.
pub const KAINDL_2: &str = "2b3k1/4rrpp/p2p4/2pP2RQ/1pP1Pp1N/1P3P1P/1q6/6RK w - - 0 1";

/// The horizon example of Eppstein 1999, Black to play. The diagram of the notes is lost; this position
/// matches their description. Black's bishop is trapped: the rook goes by h1, a1 to a2. If the bishop
/// takes b3 and is taken, Black has three connected passed pawns.
pub const HORIZON_EXAMPLE: &str = "8/5k2/8/3p1p2/4p3/1P6/b1PK3R/8 b - - 0 1";

/// White to play gives perpetual check with the knight. Every other move loses.
pub const PERPETUAL: &str = "1b3bk1/5Npp/8/pppp4/8/8/8/6RK w - - 0 1";

/// White to play; each side's queen can check the other's king repeatedly.
pub const QUEENS: &str = "6k1/5pp1/8/8/3q4/8/5PP1/3Q2K1 w - - 0 1";
