//! A collector: it takes spans and metrics by OTLP over HTTP, as any collector does.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::metrics::v1::Metric;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};

/// How a collector answers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Manner {
    Takes,
    /// It takes the request and says nothing.
    Silent,
    Refuses,
}

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Posted {
    /// The request line and the headers, in lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// A collector on a port of its own.
#[derive(Debug)]
pub(crate) struct Collector {
    pub(crate) url: String,
    posted: Arc<Mutex<Vec<Posted>>>,
}

impl Collector {
    pub(crate) fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let posted = Arc::<Mutex<Vec<Posted>>>::default();
        let taken = Arc::clone(&posted);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let taken = Arc::clone(&taken);
                std::thread::spawn(move || take(stream.unwrap(), manner, &taken));
            }
        });
        Self { url, posted }
    }

    /// Tells a command to send its telemetry here.
    pub(crate) fn of<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &self.url)
    }

    pub(crate) fn posted(&self) -> Vec<Posted> {
        self.posted.lock().unwrap().clone()
    }

    /// Everything that was received, as text.
    pub(crate) fn everything(&self) -> String {
        self.posted().iter().map(|posted| String::from_utf8_lossy(&posted.body).into_owned()).collect()
    }

    fn bodies(&self, path: &str) -> Vec<Vec<u8>> {
        let start = format!("post {path} ");
        let posted = self.posted().into_iter().filter(|posted| posted.head.starts_with(&start));
        posted.map(|posted| posted.body).collect()
    }

    /// All spans, in the order of their beginnings.
    pub(crate) fn spans(&self) -> Vec<Traced> {
        let mut spans = Vec::new();
        for body in self.bodies("/v1/traces") {
            for of_resource in ExportTraceServiceRequest::decode(&body[..]).unwrap().resource_spans {
                let resource = attributes(&of_resource.resource.unwrap().attributes);
                for of_scope in of_resource.scope_spans {
                    let schema = &of_scope.schema_url;
                    let traced = |span| Traced::of(span, resource.clone(), schema.clone());
                    spans.extend(of_scope.spans.into_iter().map(traced));
                }
            }
        }
        spans.sort_by_key(|span| span.begin);
        spans
    }

    /// The names of all metrics, sorted.
    pub(crate) fn metrics(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .bodies("/v1/metrics")
            .iter()
            .flat_map(|body| metrics(body))
            .map(|metric| metric.name)
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// The newest report of a metric.
    fn metric(&self, name: &str) -> Data {
        let reports = self.bodies("/v1/metrics").into_iter().rev();
        let found = reports.flat_map(|body| metrics(&body)).find(|metric| metric.name == name);
        found.and_then(|metric| metric.data).unwrap_or_else(|| panic!("no metric {name}"))
    }

    /// The sum of a metric of tokens; of one with types the sum of this type.
    pub(crate) fn total(&self, name: &str, kind: &str) -> u64 {
        match self.metric(name) {
            Data::Sum(sum) => sum.data_points.into_iter().map(|point| whole(point.value.unwrap())).sum(),
            Data::Histogram(histogram) => {
                let points = histogram.data_points.into_iter();
                let of_kind =
                    points.filter(|point| attributes(&point.attributes)["gen_ai.token.type"] == kind);
                of_kind.map(|point| point.sum.unwrap() as u64).sum()
            }
            other => panic!("{other:?}"),
        }
    }

    /// How many values a histogram has.
    pub(crate) fn recorded(&self, name: &str) -> u64 {
        match self.metric(name) {
            Data::Histogram(histogram) => histogram.data_points.iter().map(|point| point.count).sum(),
            other => panic!("{other:?}"),
        }
    }
}

fn metrics(body: &[u8]) -> Vec<Metric> {
    let request = ExportMetricsServiceRequest::decode(body).unwrap();
    let scopes = request.resource_metrics.into_iter().flat_map(|resource| resource.scope_metrics);
    scopes.flat_map(|scope| scope.metrics).collect()
}

fn whole(value: Number) -> u64 {
    match value {
        Number::AsInt(number) => number.try_into().unwrap(),
        Number::AsDouble(number) => panic!("{number} is no number of tokens"),
    }
}

/// A span as a test reads it.
#[derive(Debug)]
pub(crate) struct Traced {
    pub(crate) name: String,
    pub(crate) trace: Vec<u8>,
    pub(crate) id: Vec<u8>,
    /// Empty: it has none.
    pub(crate) parent: Vec<u8>,
    /// Its attributes; numbers and lists as in JSON.
    pub(crate) attributes: Value,
    /// The names of its events.
    pub(crate) events: Vec<String>,
    pub(crate) kind: i32,
    /// 2: an error.
    pub(crate) status: i32,
    pub(crate) resource: Value,
    /// The conventions that it keeps.
    pub(crate) schema: String,
    /// Nanoseconds.
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

impl Traced {
    fn of(span: Span, resource: Value, schema: String) -> Self {
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano, "{span:?}");
        Self {
            attributes: attributes(&span.attributes),
            name: span.name,
            trace: span.trace_id,
            id: span.span_id,
            parent: span.parent_span_id,
            events: span.events.into_iter().map(|event| event.name).collect(),
            kind: span.kind,
            status: span.status.map_or(0, |status| status.code),
            resource,
            schema,
            begin: span.start_time_unix_nano,
            end: span.end_time_unix_nano,
        }
    }

    /// An attribute; null: it has none of that name.
    pub(crate) fn at(&self, name: &str) -> &Value {
        &self.attributes[name]
    }
}

fn attributes(pairs: &[KeyValue]) -> Value {
    let pairs = pairs.iter().map(|pair| {
        let value = pair.value.clone().and_then(|value| value.value);
        (pair.key.clone(), value.map_or(Value::Null, plain))
    });
    Value::Object(pairs.collect())
}

fn plain(value: Any) -> Value {
    match value {
        Any::StringValue(text) => json!(text),
        Any::BoolValue(flag) => json!(flag),
        Any::IntValue(number) => json!(number),
        Any::DoubleValue(number) => json!(number),
        Any::ArrayValue(list) => {
            list.values.into_iter().map(|value| value.value.map_or(Value::Null, plain)).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// Takes the requests of a connection.
fn take(stream: TcpStream, manner: Manner, taken: &Mutex<Vec<Posted>>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let head = head.to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        let mut body = vec![0; length.trim().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        taken.lock().unwrap().push(Posted { head, body });
        let answer = match manner {
            Manner::Takes => {
                "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n"
            }
            Manner::Refuses => "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n",
            Manner::Silent => loop {
                std::thread::park();
            },
        };
        reader.get_mut().write_all(answer.as_bytes()).unwrap();
    }
}
