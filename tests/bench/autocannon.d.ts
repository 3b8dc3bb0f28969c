/** The part of autocannon the bench uses; the package ships no types. */
declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    duration: number
    /** Seconds until an answer is missing. */
    timeout?: number
    headers?: Record<string, string>
    requests?: { setupRequest: (given: Request) => Request }[]
  }
  interface Request {
    path?: string
  }
  interface Result {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    throughput: { average: number }
    non2xx: number
    /** Connections that failed, and answers that did not come in time. */
    errors: number
    statusCodeStats?: Record<string, { count: number }>
  }
  export default function autocannon(options: Options): Promise<Result>
}
