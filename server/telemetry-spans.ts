import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { SpanRecorder } from '#api/platform/telemetry/telemetry.ts'

/** The caller's span, by the header `traceparent` of W3C Trace Context. */
const remoteParent = ({ headers }: IncomingMessage) => {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(headers.traceparent?.toString() ?? '') ?? []
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/**
 * Records a span for each request and, within it, one for each statement. Spans contain the route,
 * the status and the request id, and nothing else that the visitor sent.
 */
export const createSpans = ({ resource, url, share }: { resource: Resource; url: string; share: number }) => {
  const exporter = new OTLPTraceExporter({ url })
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('marquee')
  const current = new AsyncLocalStorage<Span>()
  const spans = new WeakMap<IncomingMessage, Span>()
  const recorder: SpanRecorder = {
    inRequest: (request, work) => {
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, remoteParent(request))
      spans.set(request, span)
      return current.run(span, work)
    },
    endRequest: (request, { method, route, customer, status, requestId }) => {
      const span = spans.get(request)
      if (!span) return
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'marquee.request.id': requestId,
        ...(customer && { 'marquee.customer': customer }),
      })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    startStatement: (operation) => {
      const parent = current.getStore()
      if (!parent) return () => {}
      const options = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }
      const span = tracer.startSpan(operation, options, trace.setSpan(ROOT_CONTEXT, parent))
      return (hasFailed) => {
        if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      }
    },
  }
  return { recorder, shutdown: () => provider.shutdown() }
}
