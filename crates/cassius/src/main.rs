//! The program `cassius`. Everything is in the library; see [`cassius::main`].

fn main() -> std::process::ExitCode {
    cassius::main()
}
