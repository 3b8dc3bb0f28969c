import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DrippingProxy extends AsyncDisposable {
  port: number
  /** Sends a few more bytes of every held answer. */
  drip: () => void
  /** From now on everything passes. */
  open: () => void
}

const dripBytes = 256

/**
 * A proxy before a server on loopback. Answers to paths that `held` accepts are sent a few bytes at
 * each call of `drip`.
 */
export async function drippingProxy(target: number, held: (path: string) => boolean): Promise<DrippingProxy> {
  const waiting = new Map<ServerResponse, Buffer>()
  let isOpen = false
  const letThrough = (bytes: number) => {
    for (const [response, body] of waiting) {
      response.write(body.subarray(0, bytes))
      if (body.length > bytes) waiting.set(response, body.subarray(bytes))
      else {
        waiting.delete(response)
        response.end()
      }
    }
  }
  const server = createServer((incoming, response) => {
    const { method, headers, url: path = '' } = incoming
    const onward = request({ host: '127.0.0.1', port: target, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (isOpen || !held(path)) return answer.pipe(response)
      answer.toArray().then(
        (parts: Buffer[]) => {
          waiting.set(response, Buffer.concat(parts))
          letThrough(isOpen ? Number.POSITIVE_INFINITY : dripBytes)
        },
        () => response.destroy(),
      )
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => waiting.delete(response))
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    drip: () => letThrough(dripBytes),
    open: () => {
      isOpen = true
      letThrough(Number.POSITIVE_INFINITY)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
