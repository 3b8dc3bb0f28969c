import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini } from 's3mini'
import { installFromDebian } from './debian.ts'
import { freePort } from './free-port.ts'

const packages = ['swift-proxy', 'swift-object', 'swift-container', 'swift-account', 'python3-keystonemiddleware']
const accessKey = 'store:media'
const secretKey = 'a-secret-of-the-test'
/** The most names in one answer of a listing: few, so that a test reaches the next page soon. */
export const swiftPage = 20

export const installSwift = () =>
  installFromDebian('OpenStack Swift', ['/usr/bin/swift-proxy-server', '/usr/bin/swift-object-server'], packages)

export interface Swift extends AsyncDisposable {
  place: { endpoint: string; bucket: string; region: string; accessKey: string; secretKey: string; prefix: string }
  /** Reads and writes the bucket without the store. */
  bucket: S3mini
  /** Breaks every connection; new ones are accepted at once. */
  cut: () => void
  /** Stops the S3 proxy, as in an outage. The files stay. */
  halt: () => Promise<void>
  resume: () => Promise<void>
}

/** An S3 storage of its own processes on loopback, with a bucket. */
export const startSwift = async (): Promise<Swift> => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-swift-'))
  const ports = { account: await freePort(), container: await freePort(), object: await freePort() }
  const port = await freePort()
  await mkdir(join(folder, 'devices/disk'), { recursive: true })
  for (const [kind, at] of Object.entries(ports))
    await writeFile(join(folder, `${kind}.conf`), nodeConf(folder, kind, at))
  await writeFile(join(folder, 'proxy.conf'), proxyConf(folder, port))

  const servers = openServers(folder, ports)
  for (const kind of [...Object.keys(ports), 'proxy']) await servers.tell(`start ${kind}`)
  const wire = await openWire(port)
  const place = {
    endpoint: `http://127.0.0.1:${wire.port}`,
    bucket: 'marquee-media',
    region: 'us-east-1',
    accessKey,
    secretKey,
    prefix: 'shop/media',
  }
  const bucket = new S3mini({
    endpoint: `${place.endpoint}/${place.bucket}`,
    region: place.region,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    // A kept-alive connection may have been cut, and these requests are not retried.
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, connection: 'close' } }),
  })
  const close = async () => {
    wire.close()
    await servers.close()
    await rm(folder, { recursive: true })
  }
  await whenTrue(() => bucket.createBucket()).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    place,
    bucket,
    cut: wire.cut,
    halt: () => servers.tell('stop proxy'),
    resume: async () => {
      await servers.tell('start proxy')
      await whenTrue(() => bucket.bucketExists())
    },
    [Symbol.asyncDispose]: close,
  }
}

/** The process that starts and stops Swift's servers. It stops all of them when its input ends. */
const openServers = (folder: string, ports: Record<string, number>) => {
  const places = Object.entries(ports).map(([kind, port]) => `${kind}:${port}`)
  const parent = spawn('/usr/bin/python3', ['-c', serversProgram, folder, ...places], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: folder,
  })
  const exited = once(parent, 'exit')
  const answers = createInterface({ input: parent.stdout })[Symbol.asyncIterator]()
  return {
    tell: async (command: string) => {
      parent.stdin.write(`${command}\n`)
      if ((await answers.next()).done) throw new Error(`OpenStack Swift could not ${command}.`)
    },
    close: async () => {
      parent.stdin.end()
      await exited
    },
  }
}

const whenTrue = async (ask: () => Promise<boolean>) => {
  for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
    if (await ask().catch(() => false)) return
    if (Date.now() > deadline) throw new Error('OpenStack Swift did not answer within a minute.')
  }
}

/** A proxy to the storage whose connections can be cut. */
const openWire = async (port: number) => {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(end)
      end
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(end)
          other.destroy()
        })
      end.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const end of open) end.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: () => {
      server.close()
      cut()
    },
  }
}

/**
 * Makes rings of one device, one copy and one partition, and starts and stops servers as its input
 * says. They are forks of one process, because loading Swift takes each process a second.
 */
const serversProgram = `
import json, os, signal, sys, time
from eventlet import patcher
# As each server does at its start. Among many objects, that takes it a second.
patcher.monkey_patch(all=False, socket=True, select=True, thread=True)
from swift.account import server as account
from swift.common.middleware import bulk, catch_errors, dlo, gatekeeper, listing_formats, memcache, slo, tempauth
from swift.common.middleware.s3api import s3api
from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi
from swift.container import server as container
from swift.obj import server as obj
from swift.proxy import server as proxy

class Cache:
    '''Keeps in the process of the only proxy what others share in memcached.'''

    def __init__(self, *servers, **options):
        self.values = {}

    def get(self, key, raise_on_error=False):
        text, until = self.values.get(key, (None, 0))
        return json.loads(text) if until > time.time() else None

    def set(self, key, value, serialize=True, time=0, min_compress_len=0, raise_on_error=False):
        self.values[key] = (json.dumps(value), now() + (time or 3600))

    def delete(self, key, server_key=None):
        self.values.pop(key, None)

now = time.time
memcache.MemcacheRing = Cache

folder = sys.argv[1]
for place in sys.argv[2:]:
    kind, port = place.split(':')
    ring = RingBuilder(1, 1, 0)
    ring.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'disk', 'weight': 1.0})
    ring.rebalance()
    ring.get_ring().save(f'{folder}/{kind}.ring.gz')

running = {}

def start(kind):
    pid = os.fork()
    if pid:
        running[kind] = pid
        return
    for stream in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    options = {'global_conf_callback': obj.global_conf_callback} if kind == 'object' else {}
    os._exit(run_wsgi(f'{folder}/{kind}.conf', f'{kind}-server', **options) or 0)

def stop(kind):
    pid = running.pop(kind)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)

for line in iter(sys.stdin.readline, ''):
    {'start': start, 'stop': stop}[line.split()[0]](line.split()[1])
    print('done', flush=True)
for kind in list(running):
    stop(kind)
`

const common = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
`

const nodeConf = (folder: string, kind: string, port: number) => `${common(folder, port)}
devices = ${folder}/devices
mount_check = false
fallocate_reserve = 0

[pipeline:main]
pipeline = ${kind}-server

[app:${kind}-server]
use = egg:swift#${kind}
`

const filters = ['catch_errors', 'gatekeeper', 'listing_formats', 'bulk', 'slo', 'dlo']

const proxyConf = (folder: string, port: number) => `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth bulk slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# Otherwise ten failed connections, as at a slow start, exclude a server for a minute.
error_suppression_interval = 0
# On a busy machine a server accepts a connection later than after half a second, and the proxy would
# say that a bucket does not exist.
conn_timeout = 20
node_timeout = 20

${filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`).join('\n')}
[filter:tempauth]
use = egg:swift#tempauth
user_store_media = ${secretKey} .admin

[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = ${swiftPage}

[filter:cache]
use = egg:swift#memcache
`
