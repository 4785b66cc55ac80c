//! `cassius serve` as a browser sees it.

use crate::common::run;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

/// A running program that serves a page of one line.
struct Server {
    child: Child,
    address: &'static str,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the folder of the page. It is made once: other tests read the page meanwhile.
fn folder() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve");
        fs::create_dir_all(folder.join("assets")).expect("a folder");
        let page = "<meta name=\"searcher\" content=\"browser\">";
        fs::write(folder.join("index.html"), page).expect("a file");
        // Not for everybody.
        fs::write(folder.join(".hidden"), page).expect("a file");
        fs::write(folder.with_file_name("outside.html"), page).expect("a file");
        folder
    });
    &FOLDER
}

fn serve() -> Server {
    serve_at_once("3")
}

/// Returns a server that answers so many questions at the same time.
fn serve_at_once(jobs: &str) -> Server {
    started("127.0.0.1", &["--jobs", jobs])
}

/// Returns a server that listens on this address with these arguments.
fn started(address: &'static str, arguments: &[&str]) -> Server {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cassius"))
        .args(["serve", "--port", "0", "--hash", "1"])
        .args(arguments)
        .arg("--page")
        .arg(folder())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let port = line.split([':', '/']).find_map(|word| word.parse().ok()).expect("a port");
    assert!(line.contains(&format!("http://{address}:{port}/")), "{line}");
    Server { child, address, port }
}

impl Server {
    /// Sends a request and returns the status and the body.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect((self.address, self.port)).expect("a connection");
        let length = body.len();
        let more = format!("Connection: close\r\nContent-Length: {length}");
        write!(stream, "{method} {path} HTTP/1.1\r\n{headers}\r\n{more}\r\n\r\n{body}").expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        (status, body.to_string())
    }
}

#[test]
fn only_its_own_page_may_ask() {
    let server = serve();
    let port = server.port;
    let own = format!("Host: localhost:{port}");
    let (status, page) = server.ask("GET", "/", &own, "");
    assert_eq!((status, page.as_str()), (200, "<meta name=\"searcher\" content=\"program 3\">"));
    let question = r#"{"explain":{"start":"startpos","moves":["e4"],"nodes":2000,"elo":1500}}"#;
    let with_origin = format!("{own}\r\nOrigin: http://localhost:{port}");
    let by_address = ["127.0.0.1", "[::1]"].map(|address| format!("Host: {address}"));
    let and_port = by_address.each_ref().map(|host| format!("{host}:{port}"));
    for headers in [&own, &with_origin].into_iter().chain(&by_address).chain(&and_port) {
        let (status, answer) = server.ask("POST", "/ask", headers, question);
        assert_eq!(status, 200, "{answer}");
        assert!(answer.contains(r#"{"explained":{"page":{"headline":"#), "{answer}");
    }
    for headers in [
        "Host: another.example".into(),
        format!("{own}\r\nOrigin: http://another.example"),
        "X-No: host".into(),
    ] {
        for (method, path) in [("GET", "/"), ("POST", "/ask")] {
            let (status, answer) = server.ask(method, path, &headers, question);
            assert!(status == 403 || status == 400, "{headers}: {status} {answer}");
            assert!(!answer.contains("explained"), "{headers}");
        }
    }
}

#[test]
fn what_cannot_be_answered_is_said() {
    let server = serve();
    let own = "Host: localhost";
    for (method, path, body, expected) in [
        ("GET", "/index.html", "", 200),
        ("GET", "/nothing.js", "", 404),
        // These files are there.
        ("GET", "/../outside.html", "", 404),
        ("GET", "/assets/../../outside.html", "", 404),
        ("GET", "/%2e%2e/outside.html", "", 404),
        ("GET", "/%2e%2e%2foutside.html", "", 404),
        ("GET", "/.hidden", "", 404),
        ("GET", "/ask", "", 405),
        ("POST", "/ask", "nonsense", 400),
        ("POST", "/ask", r#"{"explain":{"start":"startpos"}}"#, 400),
    ] {
        assert_eq!(server.ask(method, path, own, body).0, expected, "{method} {path} {body}");
    }
    #[cfg(unix)]
    {
        let absolute = format!("/{}", folder().with_file_name("outside.html").display());
        assert_eq!(server.ask("GET", &absolute, own, "").0, 404, "{absolute}");
    }
    for (question, why) in [
        (r#"{"explain":{"start":"startpos","moves":["Ke2"],"elo":1500}}"#, "Ke2"),
        (r#"{"explain":{"start":"8/8 w","moves":[],"elo":1500}}"#, "FEN"),
        (r#"{"explain":{"start":"startpos","moves":[],"elo":-1}}"#, "rating"),
        (r#"{"annotate":{"pgn":"1. e4 e5 2. Ke3 *"}}"#, "Ke3"),
    ] {
        let (status, answer) = server.ask("POST", "/ask", own, question);
        assert!(
            status == 200 && answer.contains("\"wrong\"") && answer.contains(why),
            "{question}: {answer}"
        );
    }
    let over = r#"{"explain":{"start":"startpos","moves":["f3","e5","g4","Qh4#"],"nodes":20000,"elo":1500}}"#;
    let (_, answer) = server.ask("POST", "/ask", own, over);
    assert!(answer.contains("could last hold 2 plies before the end"), "{answer}");
}

/// With `--address` the program listens there.
#[test]
#[cfg(target_os = "linux")] // where all of 127.0.0.0/8 is this machine
fn another_address_can_be_given() {
    let server = started("127.0.0.2", &["--address", "127.0.0.2"]);
    let (status, page) = server.ask("GET", "/", &format!("Host: 127.0.0.2:{}", server.port), "");
    assert!(status == 200 && page.contains("searcher"), "{status} {page}");
}

/// A page that has gone keeps no other waiting.
#[test]
fn a_question_that_nobody_waits_for_ends() {
    let server = serve_at_once("1");
    let ask = |nodes: &str| {
        format!(r#"{{"explain":{{"start":"startpos","moves":["e4"],"nodes":{nodes},"elo":1500}}}}"#)
    };
    let endless = ask("1000000000000");
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    let length = endless.len();
    write!(stream, "POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{endless}")
        .expect("a request");
    // The head of the answer comes when the search begins.
    BufReader::new(&stream).read_line(&mut String::new()).expect("a line");
    drop(stream);
    let (status, answer) = server.ask("POST", "/ask", "Host: localhost", &ask("2000"));
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains(r#"{"explained":{"page":{"headline":"#), "{answer}");
}

#[test]
fn a_page_that_is_missing_is_named() {
    let output = run(&["serve", "--page", "/no/such/folder"], "");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("/no/such/folder: no index.html"), "{told}");
}
