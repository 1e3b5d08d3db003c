//! `superflip serve`.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::args::Serve;
use super::setup::{exit_on_second_signal, signal};
use super::{Failure, configure};
use crate::http::AppState;
use crate::http::connection::serve;
use crate::service::config::{Config, Listen};
use crate::service::pool::Priority;
use crate::service::process;
use crate::service::tables::integrity::{Damage, Schedule};
use crate::service::tables::readiness::Readiness;
use crate::service::tables::shelf::Loading;
use crate::service::tables::{loader, memory};
use crate::service::telemetry;
use superflip_solver::{Profile, Tables};

/// Maximum time for jobs on blocking threads to notice their stop flag.
const BLOCKING_SHUTDOWN: Duration = Duration::from_secs(1);

/// Serves `app` until a signal, or until tables are damaged, or cannot be loaded while none are in use.
///
/// # Errors
/// Returns an error if the configuration is invalid, the port is in use, or the tables cannot be loaded or are damaged.
pub fn run(args: &Serve, app: fn(AppState) -> Router) -> Result<(), Failure> {
    let config = configure(&args.configuration, args.service.flags())?;
    // Declared first and so dropped last: the drop sends the remaining spans and log lines.
    let _telemetry = telemetry::init_service(&config).map_err(Failure::Runtime)?;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.enable_all().on_thread_start(|| Priority::Low.apply()).build().map_err(Failure::runtime)?;
    let result = runtime.block_on(until_stopped(config, app));
    // A build of tables that does not notice its flag in time ends with the process. It leaves no partial table.
    runtime.shutdown_timeout(BLOCKING_SHUTDOWN);
    result
}

/// Divides the memory of the machine, and checks that the tables have enough.
pub(crate) fn check_memory(config: &mut Config) -> Result<(), Failure> {
    let folder = loader::folder(config).map_err(Failure::runtime)?;
    let limit = memory::limit(Path::new("/"));
    config.coords.cache_bytes = memory::for_spaces(config, limit.as_ref());
    config.search.memory_bytes = memory::for_searches(config, limit.as_ref());
    memory::check(config, &folder, memory::configured(config), limit).map_err(Failure::runtime)
}

/// Makes the state of the service, and loads its tables in the background.
pub(crate) fn start(config: Config) -> (AppState, Loading) {
    let in_memory = || Arc::new(Tables::in_memory());
    let readiness = match config.tables.profile {
        Profile::Tiny => Readiness::ready(in_memory()),
        _ if config.tables.serve_while_building => Readiness::starting().with_meanwhile(in_memory()),
        _ => Readiness::starting(),
    };
    let state = AppState::new(config, readiness);
    let loading = Loading::start(state.shelf.clone());
    (state, loading)
}

async fn until_stopped(mut config: Config, app: fn(AppState) -> Router) -> Result<(), Failure> {
    check_memory(&mut config)?;
    config.server.max_connections = process::connections_within_descriptors(config.server.max_connections);
    let listener = listen(&config.server.listen).await?;
    let (state, loading) = start(config);

    let signal = signal().map_err(Failure::runtime)?;
    let stop = CancellationToken::new();
    let serving = tokio::spawn(serve(listener, app(state.clone()), state.clone(), stop.clone().cancelled_owned()));
    let ended = tokio::select! {
        () = signal => {
            tokio::spawn(exit_on_second_signal());
            Ok(())
        }
        failure = run_tables(loading, &state) => Err(failure),
        () = process::keep_small() => Ok(()),
    };
    stop.cancel();
    serving.await.map_err(Failure::runtime)?.map_err(Failure::runtime)?;
    ended
}

/// Checks the tables while they are loaded and the service runs. Returns when those of the profile cannot be loaded while none are in use, or
/// when one is damaged. Other sets that cannot be loaded are no failure: the service works without them.
async fn run_tables(mut loading: Loading, state: &AppState) -> Failure {
    let failed = async {
        match loading.finished().await {
            Err(error) if state.shelf.profile().answering().is_err() => Failure::runtime(error),
            _ => std::future::pending().await,
        }
    };
    let schedule = Schedule { every: state.config.tables.check_interval(), panicked: state.lanes.panicked() };
    let check = async {
        let damage = schedule.first_damage(&state.shelf, state.lanes.background()).await;
        state.report_damage(damage);
        std::future::pending().await
    };
    tokio::select! {
        Damage { table, problem } = state.integrity.damaged() => {
            Failure::Runtime(format!("the table {table} is damaged: {problem}. The next start rebuilds it."))
        }
        failure = failed => failure,
        never = check => never,
    }
}

/// Listens on the first address that this machine has. If that address is in use, it fails and does not try the next one:
/// clients that resolve the name would still reach the other program.
async fn listen(listen: &Listen) -> Result<TcpListener, Failure> {
    let addresses = listen.addresses().map_err(|error| {
        Failure::Runtime(format!(
            "cannot listen on {listen}: the name cannot be resolved ({error}). Choose an IP address of this machine with \
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
