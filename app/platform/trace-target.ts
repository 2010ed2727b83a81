import { AppError } from './errors.ts';

/** Where traces go. */
export interface TraceTarget {
  /** The address that spans are sent to: the collector's, with `/v1/traces`. */
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of requests that are traced, 0 to 1. */
  share: number;
  /** Continue the trace that a `traceparent` header names. */
  continues: boolean;
}

interface TraceVariables {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_EXPORTER_OTLP_HEADERS?: string;
  OTEL_SERVICE_NAME: string;
  OTEL_TRACES_SAMPLER_ARG: number;
  OTEL_PROPAGATORS?: string;
}

/**
 * Reads OpenTelemetry's variables. Undefined without a collector: then nothing is traced.
 * @throws AppError `not_configured`
 */
export function traceTarget(values: TraceVariables): TraceTarget | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw refuse(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be the address of a collector, such as http://127.0.0.1:4318',
    );
  const propagators = (values.OTEL_PROPAGATORS ?? '').split(',').map((name) => name.trim());
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: readHeaders(values.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    serviceName: values.OTEL_SERVICE_NAME,
    share: values.OTEL_TRACES_SAMPLER_ARG,
    continues: propagators.includes('tracecontext'),
  };
}

/** `name=value,other=value`, percent-encoded as in the `baggage` header. */
function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      try {
        const value = decodeURIComponent(rest.join('=').trim());
        if (/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()) && value !== '') return [name.trim(), value];
      } catch {
        // Refused below.
      }
      throw refuse('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs, separated by commas');
    }),
  );
}

function refuse(message: string): AppError {
  return new AppError('not_configured', message);
}
