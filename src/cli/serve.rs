//! `superflip serve`.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::args::Serve;
use super::{Failure, configure};
use crate::http::connection::server::serve;
use crate::http::{AppState, app};
use crate::service::config::Config;
use crate::service::config::listen::Listen;
use crate::service::process_limits;
use crate::service::tables::integrity::Keeper;
use crate::service::tables::loader;
use crate::service::tables::loader::{LoadError, Loading};
use crate::service::tables::memory;
use crate::service::tables::readiness::{Readiness, State};
use crate::service::telemetry;
use crate::service::telemetry::metrics;
use crate::tables::TableError;
use crate::tables::optimal::Size;

/// Time for work on blocking threads to see that it is to end.
const LAST_LOOK: Duration = Duration::from_secs(1);

/// Serves until a signal, or until the tables turn out not to be had.
///
/// # Errors
/// A configuration that is refused, a port that is taken, tables that cannot be had.
pub fn run(args: &Serve) -> Result<(), Failure> {
    let config = configure(&args.configuration, args.service.flags())?;
    // Dropped last, which sends those that are left.
    let _spans = telemetry::init_service(&config).map_err(Failure::Runtime)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::runtime)?;
    let result = runtime.block_on(until_stopped(config));
    // A build of tables looks at its flag now and then; it may as well end with the process, which leaves no half of a table.
    runtime.shutdown_timeout(LAST_LOOK);
    result
}

async fn until_stopped(mut config: Config) -> Result<(), Failure> {
    let metrics = metrics::install().map_err(Failure::runtime)?;
    let folder = loader::folder(&config.tables).map_err(Failure::runtime)?;
    let plan = memory::plan(&config, &folder, &memory::limits(Path::new("/"))).map_err(Failure::runtime)?;
    memory::tell(&plan);
    config.server.max_connections = process_limits::connections_within_descriptors(config.server.max_connections);
    config.tables.profile = plan.profile;
    let listener = listen(&config.server.listen).await?;
    let readiness = Readiness::starting();
    let mut loading = Loading::start(folder.clone(), config.tables.profile, readiness.clone());
    let state = AppState::short_of_memory(config, readiness, metrics.clone(), plan.shortage);
    if let Some((dropped, shortage)) =
        state.optimal.as_ref().filter(|_| plan.optimal.is_none()).zip(state.shortage.as_ref())
    {
        dropped.set(State::Failed { reason: shortage.to_string() });
    }
    let upkeep = tokio::spawn(metrics::keep_up(metrics));

    let signal = signal().map_err(Failure::runtime)?;
    let stop = CancellationToken::new();
    let serving = tokio::spawn(serve(listener, app(state.clone()), state.clone(), stop.clone().cancelled_owned()));
    let loaded = tokio::select! {
        () = signal => {
            loading.stop();
            stop.cancel();
            tokio::spawn(exit_on_second_signal());
            None
        }
        failure = failure_of(&mut loading, folder, plan.optimal, &state) => Some(failure),
    };
    stop.cancel();
    serving.await.map_err(Failure::runtime)?.map_err(Failure::runtime)?;
    upkeep.abort();
    match loaded {
        Some(error) if !matches!(error, LoadError::Tables(TableError::Stopped)) => Err(Failure::runtime(error)),
        _ => Ok(()),
    }
}

/// Listens on the first of the addresses that this machine has. An address in use is an error and not a reason to take the next one:
/// callers of the name would reach whatever listens there.
async fn listen(listen: &Listen) -> Result<TcpListener, Failure> {
    let addresses = listen.addresses().map_err(|error| {
        Failure::Runtime(format!(
            "cannot listen on {listen}: the name cannot be resolved ({error}). Write an address of this machine in numbers with \
             --listen, such as 127.0.0.1:8080, or 0.0.0.0:8080 for all."
        ))
    })?;
    let mut failed = None;
    for address in addresses {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) => {
                let is_final = matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::PermissionDenied);
                failed = Some((address, error));
                if is_final {
                    break;
                }
            }
        }
    }
    let Some((address, error)) = failed else {
        return Err(Failure::Runtime(format!(
            "cannot listen on {listen}: the name has no address. Choose an IP address with --listen, such as \
             127.0.0.1:8080."
        )));
    };
    Err(cannot_listen(listen, address, &error))
}

fn cannot_listen(listen: &Listen, address: SocketAddr, error: &io::Error) -> Failure {
    let remedy = match error.kind() {
        ErrorKind::AddrInUse => "Stop what listens there, or choose another address with --listen",
        ErrorKind::PermissionDenied => "Choose a port from 1024 on with --listen",
        ErrorKind::AddrNotAvailable => {
            "No local network interface has this address: choose another with --listen, such as 0.0.0.0:8080 for all"
        }
        _ => "Choose another address with --listen",
    };
    let (name, address) = (listen.to_string(), address.to_string());
    let address = if name == address { address } else { format!("{address}, which is {name}") };
    Failure::Runtime(format!("cannot listen on {address}: {error}. {remedy}."))
}

/// Resolves only when the tables cannot be had; once they are there they are kept sound, and the table for optimal answers is
/// loaded, without which the service does.
async fn failure_of(loading: &mut Loading, folder: PathBuf, optimal: Option<Size>, state: &AppState) -> LoadError {
    if let Err(error) = loading.finished().await {
        return error;
    }
    let config = &state.config;
    let optimal = optimal.zip(state.optimal.clone());
    let keeper = Keeper {
        folder: folder.clone(),
        profile: config.tables.profile,
        readiness: state.readiness.clone(),
        optimal: optimal.clone(),
        every: config.tables.check_interval(),
        panicked: state.solver.panicked(),
    };
    let go_on = async {
        if let Some((size, readiness)) = optimal {
            // Whoever asks for a proof is told why there is none.
            let _ = loading.go_on(folder, size, readiness).await;
        }
        std::future::pending().await
    };
    tokio::select! {
        failure = keeper.keep(loading) => failure,
        failure = go_on => failure,
    }
}

/// Resolves at the first stop signal: SIGTERM, SIGINT, or SIGHUP unless it was inherited as ignored (`nohup`).
#[cfg(unix)]
pub(crate) fn signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // A handler would stop the signal from being ignored.
    let hangup = if process_limits::ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) };
    let hangup = async move {
        match hangup {
            Some(mut hangup) => hangup.recv().await,
            None => std::future::pending().await,
        }
    };
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup => {}
        }
    })
}

/// Resolves with the first signal to stop from now on.
#[cfg(not(unix))]
pub(crate) fn signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without the handler the default one ends the process, which is what was asked for.
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Ends the process with the next signal.
pub(crate) async fn exit_on_second_signal() {
    if let Ok(signal) = signal() {
        signal.await;
        tracing::warn!("a second signal: stopping at once");
        std::process::exit(1);
    }
}
