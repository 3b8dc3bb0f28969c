/** The part of autocannon the bench uses; the package ships no types. */
declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    duration: number
    headers?: Record<string, string>
  }
  interface Result {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    throughput: { average: number }
    non2xx: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
