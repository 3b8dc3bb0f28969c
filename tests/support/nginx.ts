import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installFromDebian } from './debian.ts'
import { freePort } from './free-port.ts'

export const installNginx = () => installFromDebian('nginx', ['/usr/sbin/nginx'], ['nginx-light'])

/** Starts nginx with these locations in its server block. */
export const startNginx = (locations: string, http = '') =>
  startNginxOf(
    (folder, port) => `
  proxy_cache_path ${folder}/cache keys_zone=media:4m max_size=64m;
  ${http}
  server {
    listen 127.0.0.1:${port};
    ${locations}
  }`,
  )

/**
 * Starts nginx with this http block. Its folder is removed when it is disposed of.
 */
export const startNginxOf = async (http: (folder: string, port: number) => string) => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-nginx-'))
  const port = await freePort()
  await writeFile(join(folder, 'nginx.conf'), conf(folder, http(folder, port)))
  const child = spawn('/usr/sbin/nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  for (const deadline = Date.now() + 20_000; !(await answers(port)); await sleep(50))
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('nginx did not start.')
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

const passing = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

const conf = (folder: string, http: string) => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log error;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  ${passing.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${http}
}
`
