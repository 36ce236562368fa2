//! Defines counters and gauges, each with its name and its help text. Converts a count, a flag, a time or a day to the floating-point value
//! of a gauge.
//!
//! The `metrics` file of a module defines its metrics with `define_metrics!`, each once.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use metrics::{Counter, counter, describe_counter, describe_gauge, gauge};

/// Defines the metrics of a module as constants, and the function `register`. That function registers every metric, so that an alert can
/// distinguish "no events" from "no metrics". The values of a counter's label follow the word `for`.
macro_rules! define_metrics {
    (
        $register:vis fn register() { $($also:tt)* }
        $($visibility:vis const $name:ident = $kind:ident::$new:ident($($argument:expr),+ $(,)?) $(for $values:expr)?;)+
    ) => {
        $($visibility const $name: $kind = $kind::$new($($argument),+);)+

        /// Registers every metric with its description. Sets it to 0, except a gauge made with `GaugeMetric::unset`.
        $register fn register() {
            $($also)*
            $($name.register($($values)?);)+
        }
    };
}
pub(crate) use define_metrics;

/// A counter.
#[derive(Clone, Copy)]
pub(crate) struct CounterMetric {
    name: &'static str,
    help: &'static str,
}

/// A counter for each value of a label.
#[derive(Clone, Copy)]
pub(crate) struct LabeledCounter {
    name: &'static str,
    label: &'static str,
    help: &'static str,
}

/// A gauge.
#[derive(Clone, Copy)]
pub(crate) struct GaugeMetric {
    name: &'static str,
    help: &'static str,
    /// If true, the gauge is 0 before its first event. If false, it has no value until then.
    starts_at_zero: bool,
}

impl CounterMetric {
    pub(crate) const fn new(name: &'static str, help: &'static str) -> Self {
        Self { name, help }
    }

    /// Describes the counter and sets it to 0, so that an alert can distinguish the value 0 from a process that is not running.
    pub(crate) fn register(self) {
        describe_counter!(self.name, self.help);
        self.add(0);
    }

    pub(crate) fn add(self, count: u64) {
        self.counter().increment(count);
    }

    pub(crate) fn counter(self) -> Counter {
        counter!(self.name)
    }
}

impl LabeledCounter {
    pub(crate) const fn new(name: &'static str, label: &'static str, help: &'static str) -> Self {
        Self { name, label, help }
    }

    /// Describes the counters, and sets the counter of each label value to 0.
    pub(crate) fn register(self, values: &[&'static str]) {
        describe_counter!(self.name, self.help);
        for value in values {
            self.counter(value).increment(0);
        }
    }

    /// The counter of a label value. Each call of this function looks the counter up again. Code that counts often should therefore keep
    /// the returned counter.
    pub(crate) fn counter(self, value: &'static str) -> Counter {
        counter!(self.name, self.label => value)
    }
}

impl GaugeMetric {
    pub(crate) const fn new(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            help,
            starts_at_zero: true,
        }
    }

    /// A gauge that has no value before its first event.
    pub(crate) const fn unset(name: &'static str, help: &'static str) -> Self {
        Self {
            starts_at_zero: false,
            ..Self::new(name, help)
        }
    }

    /// Describes the gauge. Sets it to 0, unless it was made with `unset`.
    pub(crate) fn register(self) {
        describe_gauge!(self.name, self.help);
        if self.starts_at_zero {
            self.set(0.0);
        }
    }

    pub(crate) fn set(self, value: f64) {
        gauge!(self.name).set(value);
    }

    /// Sets the gauge to 1 or 0.
    pub(crate) fn set_flag(self, value: bool) {
        self.set(f64::from(u8::from(value)));
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a gauge is a float; a count above 2^53 may be off by one"
    )]
    pub(crate) fn set_count(self, count: u64) {
        self.set(count as f64);
    }

    /// Sets the gauge to a Unix time.
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds since 1970 fit a float exactly"
    )]
    pub(crate) fn set_unix_time(self, seconds: i64) {
        self.set(seconds as f64);
    }

    pub(crate) fn set_now(self) {
        self.set_unix_time(jiff::Timestamp::now().as_second());
    }

    /// Sets the gauge to the Unix time of the start of a day in UTC.
    pub(crate) fn set_day(self, day: Date) {
        if let Ok(midnight) = day.to_zoned(TimeZone::UTC) {
            self.set_unix_time(midnight.timestamp().as_second());
        }
    }
}
