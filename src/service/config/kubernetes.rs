//! Recognizes the environment variables that Kubernetes sets in every pod for the Services of its namespace.
//!
//! For a Service named `superflip` they share the prefix of configuration variables. Configuration variables contain `__`; service
//! variables never do, because a Service name becomes capitals, digits and single `_`.

use crate::service::config::Config;

/// Logs one warning for each variable that was ignored.
pub fn warn_of_ignored(config: &Config) {
    for variable in &config.ignored_variables {
        tracing::warn!(
            variable,
            "ignored a variable that Kubernetes sets for a Service; set `enableServiceLinks: false` in the pod spec to stop this \
             warning (configuration variables contain two underscores, such as SUPERFLIP_SERVER__LISTEN)"
        );
    }
}

/// Returns whether Kubernetes sets a variable with the given name for a Service. Covers service variables and the older Docker link variables.
pub(crate) fn is_service_variable(name: &str) -> bool {
    let is_plain = name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_');
    if !is_plain || name.contains("__") {
        return false;
    }
    let names_a_port = name.split_once("_SERVICE_PORT_").is_some_and(|(_, port)| !port.is_empty());
    let ends = ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT"].iter().any(|end| name.ends_with(end));
    ends || names_a_port || is_link(name)
}

/// Returns whether the name ends in `_PORT_<n>_(TCP|UDP)`, with or without `_PROTO`, `_PORT` or `_ADDR`.
fn is_link(name: &str) -> bool {
    let link = ["_PROTO", "_PORT", "_ADDR"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let number = link.strip_suffix("_TCP").or_else(|| link.strip_suffix("_UDP"));
    let number = number.and_then(|number| number.rsplit_once("_PORT_")).map(|(_, number)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::is_service_variable;

    /// The names that `kubectl exec POD -- env` shows for a Service with a named port 8080 over TCP and UDP.
    #[test]
    fn service_variables_differ_from_configuration_variables() {
        for service in ["SUPERFLIP", "SUPERFLIP_HTTP", "SUPERFLIP_2"] {
            for end in [
                "SERVICE_HOST",
                "SERVICE_PORT",
                "SERVICE_PORT_HTTP",
                "SERVICE_PORT_HTTP_ALT2",
                "PORT",
                "PORT_8080_TCP",
                "PORT_8080_TCP_PROTO",
                "PORT_8080_TCP_PORT",
                "PORT_8080_TCP_ADDR",
                "PORT_53_UDP",
                "PORT_53_UDP_PROTO",
                "PORT_53_UDP_PORT",
                "PORT_53_UDP_ADDR",
            ] {
                assert!(is_service_variable(&format!("{service}_{end}")), "{service}_{end}");
            }
        }
        for name in [
            "SUPERFLIP_SERVER__LISTEN",
            "SUPERFLIP_SERVER__PORT",
            "SUPERFLIP__PORT",
            "SUPERFLIP_SERVER__SERVICE_PORT_HTTP",
            "SUPERFLIP_CONFIG",
            "SUPERFLIP_LISTEN",
            "SUPERFLIP_PORTS",
            "SUPERFLIP_SERVICE_PORT_",
            "SUPERFLIP_SERVICE_NAME",
            "SUPERFLIP_PORT_TCP",
            "SUPERFLIP_PORT_HTTP_TCP",
            "SUPERFLIP_PORT_8080",
            "SUPERFLIP_PORT_8080_SCTP",
            "SUPERFLIP_PORT_8080_TCP_HOST",
            "SUPERFLIP_8080_TCP",
            "SUPERFLIP_port",
        ] {
            assert!(!is_service_variable(name), "{name}");
        }
    }
}
