//! The examples in the help of each command: whole at any width of a terminal, about that command, and accepted.

use clap::{CommandFactory as _, Parser as _};
use superflip::operations::Cli;

use crate::common::prelude::*;

/// The path of every command that is not hidden, such as `tables list`.
fn commands() -> Vec<Vec<String>> {
    fn walk(command: &clap::Command, path: &[String], all: &mut Vec<Vec<String>>) {
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
            let path = [path, &[sub.get_name().to_owned()]].concat();
            walk(sub, &path, all);
            all.push(path);
        }
    }
    let mut all = Vec::new();
    walk(&Cli::command(), &[], &mut all);
    all
}

fn help(path: &[String], columns: &str) -> String {
    let output = superflip(&[]).args(path).arg("--help").env("COLUMNS", columns).output().unwrap();
    assert!(output.status.success(), "{path:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The lines that are to be copied: those that stand under `Examples:` or `Then:`, two spaces in.
fn examples(help: &str) -> Vec<String> {
    let (_, behind) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("no examples:\n{help}"));
    let behind = behind.split("\nExit codes:").next().unwrap();
    let lines = behind.lines().filter(|line| !line.is_empty() && *line != "Then:");
    lines
        .map(|line| line.strip_prefix("  ").unwrap_or_else(|| panic!("`{line}` is not two spaces in")).to_owned())
        .collect()
}

/// The words of a shell command with the operators `|`, `<` and `>` as words of their own; `None` where a quote is left open.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().push(rest.next()?),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            // `>>` redirects too.
            (None, '>') if word.is_none() && words.last().is_some_and(|last| last == ">") => {}
            (None, '|' | '<' | '>') => {
                words.extend(word.take());
                words.push(c.to_string());
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The command of a pipe that is ours, without variables before it and without redirection.
fn own(words: &[String]) -> Option<Vec<String>> {
    let is_variable = |word: &&String| word.starts_with("SUPERFLIP_") && word.contains('=');
    let mut commands = words.split(|word| word == "|");
    let command = commands
        .find(|command| command.iter().find(|word| !is_variable(word)).is_some_and(|word| word == "superflip"))?;
    let own: Vec<String> = command.iter().skip_while(is_variable).cloned().collect();
    let end = own.iter().position(|word| word == "<" || word == ">").unwrap_or(own.len());
    assert!(matches!(own.len() - end, 0 | 2), "one file behind `<` or `>`: {own:?}");
    Some(own[..end].to_vec())
}

#[test]
fn every_example_is_a_whole_command_at_any_width() {
    for path in commands() {
        let wide = examples(&help(&path, "300"));
        for columns in ["60", "80", "100"] {
            assert_eq!(examples(&help(&path, columns)), wide, "{path:?} at {columns} columns");
        }
        let mut of_this = 0;
        for example in wide {
            let words = words(&example).unwrap_or_else(|| panic!("{path:?}: an open quote in `{example}`"));
            let Some(own) = own(&words) else {
                assert_eq!(words[0], "curl", "{path:?}: `{example}`");
                continue;
            };
            Cli::try_parse_from(&own).unwrap_or_else(|error| panic!("{path:?}: `{example}`: {error}"));
            assert!(own[1..].starts_with(&path), "{path:?}: `{example}` is of another command");
            of_this += 1;
        }
        assert!(of_this > 0, "{path:?} has no example");
    }
    assert!(commands().len() >= 12, "{:?}", commands());
}

#[test]
fn what_goes_beside_the_examples_is_there_still() {
    let help = |path: &[&str]| help(&path.iter().map(ToString::to_string).collect::<Vec<_>>(), "80");
    assert!(help(&["solve"]).contains("Exit codes: 0 solved"));
    assert!(help(&["tables", "list"]).contains("--optimal-table <SIZE>"));
    assert!(help(&["serve"]).contains("\nUsage: superflip serve"));
}

#[test]
fn words_are_those_of_a_shell() {
    let of = |line: &str| words(line).unwrap();
    assert_eq!(of("a \"b c\" 'd \"e' > f"), ["a", "b c", "d \"e", ">", "f"]);
    assert_eq!(of("echo \"F2 L' D\" | x -"), ["echo", "F2 L' D", "|", "x", "-"]);
    assert_eq!(words("x 'open"), None);
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let folder = tempfile::tempdir().unwrap();
    run_on_tables(&["man", folder.path().to_str().unwrap()], 0);
    let command = Cli::command();
    let commands = || command.get_subcommands().filter(|command| !command.is_hide_set());
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run_on_tables(&["completions", shell], 0).out;
        assert!(commands().all(|command| script.contains(command.get_name())), "{shell}");
    }
    for command in commands() {
        let page = fs::read_to_string(folder.path().join(format!("superflip-{}.1", command.get_name()))).unwrap();
        assert!(page.contains(".SH OPTIONS") && page.contains(command.get_name()), "{page}");
    }
    let refused = run_on_tables(&["man", "/dev/null/man"], 1);
    assert!(refused.err.contains("cannot write manual pages to /dev/null/man"), "{}", refused.err);
}
