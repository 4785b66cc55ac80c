//! `cassius serve`: the page in a browser, with the search of this program.

use super::explain::endgames;
use crate::setup::{EvaluationArgs, mib};
use crate::{Error, terminal};
use anyhow::{Context as _, bail};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::tablebase::Endgames;
use cassius_insight::{Analyst, Effort};
use cassius_page::{Desk, Question};
use cassius_search::StopFlag;
use std::borrow::Cow;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};
use tokio::task;
use tokio_stream::wrappers::ReceiverStream;

// The files of the page, if it was built before the program.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The largest question in bytes. A page takes games of up to 5 MB, and JSON escapes some of the characters.
const LARGEST: usize = 16 << 20;

/// Arguments of `cassius serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is an analysis board that explains: drop a game or paste a position, step, and ask. The program \
searches for it, on this machine, and faster than a browser could. The page needs no network.

Examples:
  cassius serve
  cassius serve --port 8000 --jobs 8 --hash 64 --syzygy /tables")]
pub struct ServeArgs {
    /// Port on which to listen; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 8600)]
    port: u16,
    /// Address on which to listen. With any but the default, other machines can use this one's processors.
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Number of games annotated at the same time, each by one thread with its own table; as many as there
    /// are processors if missing. As many positions are explained beside them. A page asks for at most four
    /// games at a time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Size of each transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = mib())]
    hash: u32,
    /// Directories with Syzygy endgame tables, separated by `;` (or by `:`, except on Windows).
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Folder of the built page, instead of the one that is built in.
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// What all requests share.
struct Server {
    page: Option<PathBuf>,
    /// Each question takes a place; others wait. Games do not keep positions waiting.
    games: Arc<Semaphore>,
    positions: Arc<Semaphore>,
    jobs: usize,
    /// The desks of the places that are free.
    desks: Mutex<Vec<Desk>>,
    hash: usize,
    endgames: Endgames,
    evaluation: Evaluation,
}

/// Serves the page until the program is ended.
pub fn run(args: ServeArgs) -> Result<(), Error> {
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    if let Some(folder) = &args.page
        && !folder.join("index.html").is_file()
    {
        bail!("{}: no index.html: web/build makes the page", folder.display());
    }
    if args.page.is_none() && FILES.is_empty() {
        bail!(
            "this program was built without the page: run web/build, and then build the program again or \
             name the folder with --page web/dist"
        );
    }
    let server = Server {
        page: args.page,
        games: Arc::new(Semaphore::new(jobs)),
        positions: Arc::new(Semaphore::new(jobs)),
        jobs,
        desks: Mutex::default(),
        hash: args.hash as usize,
        endgames: endgames(args.syzygy.as_deref())?,
        evaluation: args.evaluation.chosen()?,
    };
    // A search that cannot start is told now, and not to the page.
    let first = server.desk()?;
    server.put(first);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let wanted = SocketAddr::from((args.address, args.port));
        let listener = TcpListener::bind(wanted).await.with_context(|| wanted.to_string())?;
        let address = listener.local_addr()?;
        terminal::note(format_args!("http://{address}/ shows the page; Ctrl-C ends the program"));
        let routes = Router::new()
            .route("/ask", post(ask))
            .fallback(file)
            .layer(DefaultBodyLimit::max(LARGEST))
            .layer(middleware::from_fn(own))
            .with_state(Arc::new(server));
        Ok(axum::serve(listener, routes).await?)
    })
}

impl Server {
    /// Returns a desk that nobody uses.
    fn desk(&self) -> Result<Desk, Error> {
        if let Some(desk) = self.desks.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            return Ok(desk);
        }
        let mut analyst = Analyst::with_evaluation(Effort::default(), self.hash, self.evaluation.clone())?;
        analyst.set_endgames(self.endgames.clone());
        Ok(Desk::of(analyst))
    }

    fn put(&self, desk: Desk) {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner).push(desk);
    }

    /// Returns a file of the page.
    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        if let Some(folder) = &self.page {
            // Names of the page's files have no `..`.
            return std::fs::read(folder.join(name)).ok().map(Cow::Owned);
        }
        FILES.iter().find(|(own, _)| *own == name).map(|(_, bytes)| Cow::Borrowed(*bytes))
    }
}

/// Refuses what another page asks in a user's browser.
async fn own(request: Request, next: Next) -> Response {
    match is_own(request.headers()) {
        true => next.run(request).await,
        false => {
            let why = "only the page of this program may ask, opened by the address of its machine (or \
                       localhost), not by a name";
            (StatusCode::FORBIDDEN, why).into_response()
        }
    }
}

/// Whether a request names this program by its address, and not by a name that another page has given to it,
/// and comes from no other page.
fn is_own(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    // Browsers leave out port 80.
    let is_address = [host, &format!("{host}:80")].iter().any(|host| host.parse::<SocketAddr>().is_ok());
    (is_address || host.split(':').next() == Some("localhost"))
        && text(header::ORIGIN).is_none_or(|origin| origin.strip_prefix("http://") == Some(host))
}

async fn file(State(server): State<Arc<Server>>, uri: Uri) -> Response {
    let name = uri.path().trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let is_plain = !name.contains(['\\', ':']) && name.split('/').all(|part| !part.starts_with('.'));
    let Some(bytes) = is_plain.then(|| server.file(name)).flatten() else {
        return (StatusCode::NOT_FOUND, "no such file").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    };
    let bytes = match name {
        // The page asks the program, and knows how much at a time.
        "index.html" => {
            let text = String::from_utf8_lossy(&bytes);
            let (here, there) = (
                r#"name="searcher" content="browser""#,
                format!(r#"name="searcher" content="program {}""#, server.jobs),
            );
            Cow::Owned(text.replacen(here, &there, 1).into_bytes())
        }
        _ => bytes,
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], Body::from(bytes.into_owned()))
        .into_response()
}

/// Answers a question, with one JSON object per line.
async fn ask(State(server): State<Arc<Server>>, question: Bytes) -> Response {
    let question: Question = match serde_json::from_slice(&question) {
        Ok(question) => question,
        Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    };
    let places = match question {
        Question::Annotate { .. } => &server.games,
        Question::Explain { .. } => &server.positions,
    };
    let Ok(place) = places.clone().acquire_owned().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let (sender, receiver) = mpsc::channel::<Result<Bytes, Infallible>>(64);
    // When the page has gone, its question takes no place any longer.
    let gone = Arc::new(StopFlag::default());
    let (page, flag) = (sender.clone(), gone.clone());
    let watch = task::spawn(async move {
        page.closed().await;
        flag.0.store(true, Relaxed);
    });
    let search = task::spawn_blocking(move || {
        let _place = place;
        let mut tell = |answer| {
            let line = serde_json::to_string(&answer).expect("strings and numbers") + "\n";
            sender.blocking_send(Ok(line.into())).is_ok()
        };
        match server.desk() {
            Ok(mut desk) => {
                desk.set_limits(gone);
                desk.answer(&question, &mut tell);
                server.put(desk);
            }
            Err(error) => {
                tell(cassius_page::Answer::Wrong { text: error.to_string() });
            }
        }
    });
    task::spawn(async move {
        let _ = search.await; // a panic was shown where it happened
        watch.abort(); // its sender would keep the answer open
    });
    let kind = [(header::CONTENT_TYPE, "application/jsonl")];
    (kind, Body::from_stream(ReceiverStream::new(receiver))).into_response()
}
