//! Writes a configuration as the file that produces it.

use clap::{Args as _, Command};

use super::Config;

impl Config {
    /// The configuration in force as a `longhand.toml` with comments. A setting that is not given is a comment.
    /// Possible secrets in the shared store's address are left out.
    #[must_use]
    pub fn to_toml(&self) -> String {
        // Plain values always serialise.
        let given = toml::Table::try_from(self).unwrap_or_default();
        let mut text = String::from(
            "# Settings of `longhand serve`. A flag (--data-dir) wins over its variable (LONGHAND_DATA_DIR), that \
             over this\n\
             # file, that over the default.\n",
        );
        for setting in Config::augment_args_for_update(Command::new("serve")).get_arguments() {
            let (name, meaning) = (setting.get_id().as_str(), setting.get_help().map(ToString::to_string));
            let line = given.get(name).map_or_else(|| format!("# {name} ="), |value| format!("{name} = {value}"));
            text.extend(["\n# ", meaning.unwrap_or_default().as_str(), "\n", line.as_str(), "\n"]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed example: the defaults, each as a comment.
    const EXAMPLE: &str = include_str!("../../deploy/longhand.toml");

    #[test]
    fn what_is_printed_says_the_same_when_it_is_read() {
        let every = "listen = \"[::1]:80\"\nadmin_listen = \"0.0.0.0:91\"\ndata_dir = \"/srv/\\\"keys\\\"\"\n\
                     store = \"redis://s/1\"\nstore_timeout_ms = 8\nstore_away = \"fail_open\"\n\
                     icc_dir = \"icc\"\nfonts_dir = [\"a\", \"b\"]\nfonts_failure = \"stop\"\nhands = \"keys\"\n\
                     artwork = \"keys\"\nartwork_dir = \"a\"\n\
                     log = \"longhand=debug,warn\"\nlog_format = \"json\"\ncors_origins = [\"https://example.org\"]\n\
                     unready_seconds = 1\ndrain_seconds = 2\nheader_timeout_seconds = 3\nbody_timeout_seconds = 4\n\
                     idle_timeout_seconds = 5\nwrite_timeout_seconds = 6\nmax_connections = 7\nqueue_megapixels = 8\n\
                     queue_seconds = 9\nrate_limits = { generate = 2000, usage = 1 }\n\
                     preview_watermark = \"off\"\nclient_links = \"on\"\njobs_dir = \"j\"\njobs_bucket = \"s3://b-1/c\"\njobs_keep_days = 3\njobs_max_bytes = 5\nnotify_hosts = [\"a.example\", \"::1\"]\ngpus = [\"0\", \"65:00.0\"]\n\
                     gpu_fallback = \"hardware\"\ngpu_timeout_seconds = 10\ngpu_timings = \"on\"\n\
                     key_metrics = \"ids\"\notlp_endpoint = \"https://a:1/b\"";
        for text in ["", every] {
            let config = toml::from_str::<Config>(text).unwrap();
            let printed = config.to_toml();
            assert_eq!(toml::from_str::<Config>(&printed).unwrap(), config, "{printed}");
        }
        let settings = Config::augment_args_for_update(Command::new("serve"));
        assert_eq!(every.lines().count(), settings.get_arguments().count(), "every setting is tried");
    }

    #[test]
    fn the_example_has_every_setting_with_its_default() {
        let defaults = Config::default().to_toml();
        let commented =
            |line: &str| if line.is_empty() || line.starts_with('#') { line.to_owned() } else { format!("# {line}") };
        let expected: Vec<String> = defaults.lines().map(commented).collect();
        assert_eq!(EXAMPLE.lines().collect::<Vec<_>>(), expected);
    }
}
