import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { createDeps, type Deps } from '#api/deps.ts'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { apiBase, customerBase } from '#contract/http.ts'
import { type CommandAnswer, folderOf, quickCommandOf } from '#tests/support/command.ts'

/**
 * An import of an installation's tables affects all stores, so this file has its own database. Its
 * owner is no superuser.
 */
const name = `stores_${randomUUID().replaceAll('-', '')}`
const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-stores-'))
const timeout = 120_000
const urlOf = (user: string) => {
  const url = new URL(inject('database').ownerUrl)
  Object.assign(url, { username: user, password: 'secret', pathname: `/${name}` })
  return url.href
}
let run: (args: readonly string[]) => Promise<CommandAnswer>
let deps: Deps
let admin: pg.Client

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('database').ownerUrl })
  await admin.connect()
  await admin.query(`CREATE ROLE ${name}_owner LOGIN PASSWORD 'secret' CREATEROLE`)
  await admin.query(`CREATE ROLE ${name}_web LOGIN PASSWORD 'secret'`)
  await admin.query(`GRANT marquee_app TO ${name}_owner WITH ADMIN OPTION`)
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}_owner`)
  const database = { ownerUrl: urlOf(`${name}_owner`), url: urlOf(`${name}_web`) }
  await prepareDatabase(database)
  deps = createDeps({
    databaseUrl: database.url,
    secret: 'x'.repeat(32),
    config: {
      production: false,
      dataFolder,
      logLevel: 'silent',
      databasePoolSize: 4,
      publicUrl: null,
      trustedProxies: [],
    },
  })
  run = quickCommandOf({ deps: { dataFolder } }, { database })
})
afterAll(async () => {
  await deps[Symbol.asyncDispose]()
  await admin.end()
})

const get = async (path: string) => {
  const answer = await createApi(deps).fetch(new Request(`http://store.test${path}`))
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const storeAt = async (host: string) => (await get(`${apiBase}/tenants/resolve?host=${host}`)).body.customerCode
const settingsOf = async (code: string) => (await get(`${customerBase(code)}/site-settings`)).body
const importFrom = (path: string, ...more: string[]) => run(['customer', 'import', path, '--by', 'Jo', ...more])
const exported = async () => {
  const folder = await folderOf({})
  expect(await run(['customer', 'export', folder])).toMatchObject({ code: 0, err: '' })
  const read = (table: string) => readFile(join(folder, `${table}.csv`), 'utf8')
  return { folder, customers: await read('customers'), domains: await read('domains') }
}
const auditOf = async (code: string) => {
  const client = new pg.Client({ connectionString: urlOf(`${name}_owner`) })
  await client.connect()
  const {
    rows: [store],
  } = await client.query('SELECT customer_id AS id FROM customers WHERE code = $1', [code])
  await client.query(`SELECT set_config('marquee.customer_id', $1, false)`, [store.id])
  const { rows } = await client.query('SELECT actor, action, changes FROM audit ORDER BY at, id')
  await client.end()
  return rows as { actor: string; action: string; detail: unknown }[]
}

test(
  'stores and hosts are imported from tables; a second import or an export imported again changes nothing',
  async () => {
    const folder = await folderOf({
      'customers.csv':
        'code,name,locale,currency,time_zone,state\nacme,Acme Films,ko,KRW,Asia/Seoul,\nborealis,Borealis,en,EUR,Europe/Berlin,closed\n',
      'domains.csv': 'host,customer\nFilms.Example.com,acme\nwww.films.example.com,acme\nborealis.example,borealis\n',
    })
    const dry = await importFrom(folder, '--dry-run')
    expect(dry).toMatchObject({ code: 0, err: '' })
    expect(dry.out).toMatch(/customers\.csv\s+2\s+0\s+0\s+0\s+0/)
    expect(await storeAt('films.example.com')).toBeNull()

    const first = await importFrom(folder)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(/domains\.csv\s+3\s+0\s+0\s+0\s+0/)
    expect(await storeAt('films.example.com')).toBe('acme')
    expect(await settingsOf('acme')).toMatchObject({
      base: { name: 'Acme Films', currency: 'KRW', locale: 'ko', locales: ['ko', 'en'], timeZone: 'Asia/Seoul' },
    })
    expect((await get(`${customerBase('acme')}/pages/terms`)).body.code).toBe('STORE_NOT_OPEN')
    expect((await get(`${customerBase('borealis')}/contract`)).body).toMatchObject({
      useSite: false,
      useCustomer: true,
    })

    const again = await importFrom(folder)
    expect(again.out).toMatch(/customers\.csv\s+0\s+0\s+2\s+0\s+0/)
    expect(again.out).toMatch(/domains\.csv\s+0\s+0\s+3\s+0\s+0/)
    const out = await exported()
    const reimported = await importFrom(out.folder, '--remove')
    expect(reimported.out).toMatch(/customers\.csv\s+0\s+0\s+2\s+0\s+0/)
    expect(reimported.out).toMatch(/domains\.csv\s+0\s+0\s+3\s+0\s+0/)
    expect(await auditOf('acme')).toMatchObject([
      { actor: 'admin:Jo', action: 'store.created' },
      {
        actor: 'admin:Jo',
        action: 'domains.changed',
        changes: { domains: { from: [], to: ['films.example.com', 'www.films.example.com'] } },
      },
    ])

    // One changed cell changes one value; missing columns change nothing.
    const file = join(out.folder, 'customers.csv')
    await writeFile(file, 'code,name,state\nborealis,Aurora,OPEN\n')
    expect((await importFrom(file)).out).toMatch(/customers\.csv\s+0\s+1\s+0\s+0\s+1/)
    expect(await settingsOf('borealis')).toMatchObject({ base: { name: 'Aurora', currency: 'EUR' } })
    expect((await get(`${customerBase('borealis')}/contract`)).body).toMatchObject({ useSite: true })
    const json = join(out.folder, 'all.json')
    expect((await run(['customer', 'export', json])).code).toBe(0)
    expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
      customers: [
        { code: 'acme', locales: ['ko', 'en'] },
        { code: 'borealis', name: 'Aurora', state: 'OPEN' },
      ],
      domains: [{ host: 'films.example.com', customer: 'acme' }, {}, {}],
    })
    expect((await importFrom(json)).out).toMatch(/all\.json customers\s+0\s+0\s+2\s+0\s+0/)
  },
  timeout,
)

test(
  'errors in tables of stores and hosts are listed by row and column, and nothing is imported',
  async () => {
    const before = await exported()
    const film = await folderOf({ 'products.csv': 'code,title,kind\nK1,A film,VOD\n' })
    expect((await run(['catalog', 'import', film, '-c', 'acme'])).code).toBe(0)
    const folder = await folderOf({
      'customers.csv': [
        'code,name,locale,locales,currency,time_zone,state,colour',
        'new,New,ja,,JPY,Asia/Tokyo,OPEN,',
        'Not A Code,X,en,,USD,UTC,OPEN,',
        'bare,,,,,,,',
        'wrong,W,kr,,WON,Mars,OPENED,',
        'acme,Acme,en,ko,USD,Asia/Seoul,OPEN,',
        'new,New,ja,,JPY,Asia/Tokyo,OPEN,',
      ].join('\n'),
      'domains.csv': [
        'host,customer',
        '*.x.example,new',
        'films.example.com,new',
        'new.example,nwe',
        'other.example,wrong',
        'borealis.example,borealis',
        'BOREALIS.example,borealis',
      ].join('\n'),
    })
    for (const more of [['--dry-run'], []]) {
      const { code, err, out } = await importFrom(folder, ...more)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      for (const sentence of [
        'customers.csv, row 1, colour: is not a column of customers.',
        'customers.csv, row 3, code: “Not A Code” must have at most 40 lower case letters, digits and hyphens',
        'customers.csv, row 4, name: “” is required for a new store: the name that visitors see',
        'customers.csv, row 4, currency: “” is required for a new store: the currency of its prices',
        'customers.csv, row 4, time_zone: “” is required for a new store: its time zone',
        'customers.csv, row 5, locale: “kr” must be en, ko, ja, ar.',
        'customers.csv, row 5, currency: “WON” must be the three-letter code of a currency, for example KRW or USD.',
        'customers.csv, row 5, time_zone: “Mars” must be a time zone, for example Asia/Seoul',
        'customers.csv, row 5, state: “OPENED” must be COMING_SOON, OPEN, CLOSED, ENDED. Did you mean OPEN?',
        'customers.csv, row 6, locales: “ko” must be a list of en, ko, ja and ar',
        'customers.csv, row 6, currency: “USD” cannot be changed from KRW, because products or plans have prices in it',
        'customers.csv, row 7, code: “new” must be unique: row 2 has the same code',
        'domains.csv, row 2, host: “*.x.example” must be a host without scheme and port',
        'domains.csv, row 3, host: “films.example.com” must be a free host. It is a host of acme. Remove it there first (npm run cli -- customer domains acme --remove films.example.com)',
        'domains.csv, row 4, customer: “nwe” must be the customer code of a store: there is no nwe. Did you mean new?',
        'domains.csv, row 7, host: “BOREALIS.example” must be unique: row 6 has the same host',
      ])
        expect(err).toContain(sentence)
      expect(err).not.toContain('domains.csv, row 5')
      expect(err).toMatch(/Nothing was imported: \d+ things are wrong\./)
    }
    const after = await exported()
    expect([after.customers, after.domains]).toEqual([before.customers, before.domains])
  },
  timeout,
)

test(
  'hosts move between stores and are removed in one import of all hosts; stores stay',
  async () => {
    const folder = await folderOf({
      'customers.csv': 'code,name\nacme,Acme\n',
      'domains.csv': 'host,customer\nfilms.example.com,borealis\nborealis.example,acme\nnew.example,acme\n',
    })
    const moved = await importFrom(folder, '--remove')
    expect(moved).toMatchObject({ code: 0, err: '' })
    expect(moved.out).toMatch(/customers\.csv\s+0\s+1\s+0\s+0\s+1/)
    expect(moved.out).toMatch(/domains\.csv\s+1\s+2\s+0\s+1\s+0/)
    const hosts = ['films.example.com', 'borealis.example', 'www.films.example.com', 'new.example']
    expect(await Promise.all(hosts.map(storeAt))).toEqual(['borealis', 'acme', null, 'acme'])
    expect((await auditOf('acme')).at(-1)).toMatchObject({
      action: 'domains.changed',
      changes: {
        domains: { from: ['films.example.com', 'www.films.example.com'], to: ['borealis.example', 'new.example'] },
      },
    })
    expect((await run(['customers'])).out).toMatch(/acme[\s\S]+borealis/)
  },
  timeout,
)

test(
  'a large import beside another large catalogue is matched in linear time',
  async () => {
    const count = 2000
    const codes = Array.from({ length: count }, (_, at) => `N${String(at).padStart(5, '0')}`)
    const folder = await folderOf({
      'products.csv': `code,title,kind\n${codes.map((code) => `${code},Film ${code},VOD\n`).join('')}`,
      'options.csv': `product,name,type,price\n${codes.map((code) => `${code},Own it,OWN,1000\n`).join('')}`,
    })
    const database = new URL(inject('database').ownerUrl)
    database.pathname = `/${name}`
    const inside = new pg.Pool({ connectionString: database.href, max: 1 })
    await using _closing = { [Symbol.asyncDispose]: () => inside.end() }
    const rowsRead = async () => {
      const { rows } = await inside.query(
        'SELECT (tup_returned + tup_fetched)::float AS read FROM pg_stat_database WHERE datname = current_database()',
      )
      return rows[0].read as number
    }
    expect((await run(['catalog', 'import', folder, '-c', 'acme'])).code).toBe(0)
    // With these statistics the planner assumes that an unknown store is empty.
    await inside.query('ANALYZE')
    const before = await rowsRead()
    const { out } = await run(['catalog', 'import', folder, '-c', 'borealis'])
    expect(out).toMatch(/options\.csv\s+2000\s+0\s+0\s+0/)
    // PostgreSQL adds a connection's reads to the statistics when it is closed.
    await expect.poll(rowsRead).toBeGreaterThan(before + count)
    expect((await rowsRead()) - before).toBeLessThan(count * 500)
  },
  timeout,
)
