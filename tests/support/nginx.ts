import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
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

const deployed = join(import.meta.dirname, '../../deploy/nginx')

/** Makes a certificate with the command of the deployment guide. */
export const makeCertificate = (place: string) => {
  mkdirSync(join(place, 'tls'), { recursive: true })
  const files = ['-keyout', join(place, 'tls/store.key'), '-out', join(place, 'tls/store.crt')]
  const subject = ['-subj', '/CN=films.example.com', '-addext', 'subjectAltName=DNS:films.example.com']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '30', ...subject, ...files], { stdio: 'pipe' })
}

/**
 * Starts nginx with the files of `deploy` before two processes of the store. `port` redirects to
 * `tlsPort`, whose certificate for films.example.com is signed by `ca`.
 */
export const startDeployedNginx = async (first: number, second: number, upstreamFile = 'upstream.conf') => {
  const tlsPort = await freePort()
  let ca = Buffer.alloc(0)
  const nginx = await startNginxOf((place, port) => {
    makeCertificate(place)
    ca = readFileSync(join(place, 'tls/store.crt'))
    const upstream = readFileSync(join(deployed, upstreamFile), 'utf8')
    const servers = readFileSync(join(deployed, 'marquee.conf'), 'utf8')
    return [
      upstream.replace(':3000', `:${first}`).replace(':3001', `:${second}`),
      servers
        .replace('listen 80 ', `listen 127.0.0.1:${port} `)
        .replace('listen 443 ', `listen 127.0.0.1:${tlsPort} `)
        .replace('[::]:80', `[::1]:${port}`)
        .replace('[::]:443', `[::1]:${tlsPort}`),
    ].join('\n')
  })
  return { ...nginx, tlsPort, ca }
}

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
