//! The table of configuration keys, read from the comments of `config/default.toml`.

use superflip::service::config::load::DEFAULTS;

/// One key with its documentation.
pub struct ConfigKey {
    /// The key, such as `server.listen`.
    pub key: String,
    /// The environment variable, such as `SUPERFLIP_SERVER__LISTEN`.
    pub variable: String,
    /// The default as it is written in TOML.
    pub default: String,
    /// The comment above the key.
    pub meaning: String,
}

/// Every key in the order of the file.
pub fn config_keys() -> Vec<ConfigKey> {
    let (mut keys, mut section, mut comment) = (Vec::new(), "", Vec::new());
    for line in DEFAULTS.lines() {
        if let Some(text) = line.strip_prefix('#') {
            comment.push(text.trim());
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if let Some((name, default)) = line.split_once(" = ") {
            let variable = format!("SUPERFLIP_{section}__{name}").to_uppercase();
            let (key, default) = (format!("{section}.{name}"), default.to_owned());
            keys.push(ConfigKey { key, variable, default, meaning: comment.join(" ") });
        }
        comment.clear();
    }
    keys
}
