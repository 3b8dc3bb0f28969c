import { readHost } from '#api/domain/tenancy/open-store.ts'
import * as cell from '../cells.ts'
import { meant } from '../nearest.ts'
import { type Complaint, type Kept, type TableOf, textsOf } from '../table.ts'
import { codeColumn } from './customers.ts'
import { customerIdsOf, type InstallationWork } from './work.ts'

const hostColumn: cell.Column = {
  ...cell.line('host', 253, { example: 'films.example.com' }),
  read: (text) =>
    readHost(text) ?? new cell.Wrong('must be a host without scheme and port, for example films.example.com'),
}

const read = async ({ db }: InstallationWork, hosts: readonly string[] | null): Promise<Kept[]> => {
  const { rows } = await db.$client.query<{ host: string; customer: string }>(
    `SELECT d.host, c.code AS customer FROM customer_domains d JOIN customers c ON c.customer_id = d.customer_id
      WHERE $1::text[] IS NULL OR d.host = ANY($1) ORDER BY c.code COLLATE "C", d.host COLLATE "C"`,
    [hosts],
  )
  return rows.map((values) => ({ id: values.host, values: { ...values } }))
}

/** Remembers for the audits of both stores where a host went. */
const note = ({ moved }: InstallationWork, id: string | undefined, way: 'added' | 'removed', host: string) => {
  if (id === undefined) return
  const of = moved.get(id) ?? { added: [], removed: [] }
  of[way].push(host)
  moved.set(id, of)
}

const complaintsOf = (
  { named, removes }: InstallationWork,
  { values, kept }: { values: cell.Values; kept: Kept | null },
  known: ReadonlyMap<string, string>,
): Complaint[] => {
  const [host, code] = [values.host as string, values.customer as string]
  if (!known.has(code) && !named.has(code))
    return [
      {
        column: 'customer',
        right: `must be the customer code of a store: there is no ${code}.${meant(code, known.keys())}`,
      },
    ]
  const holder = kept?.values.customer
  if (!kept || holder === code || removes) return []
  return [
    {
      column: 'host',
      right: `must be a free host: ${holder} has it. Remove it there first (customer domains ${holder} --remove ${host}), or list all hosts and add --remove`,
    },
  ]
}

/** Where stores are found. A host belongs to one store. */
export const domains: TableOf<InstallationWork> = {
  ...{ name: 'domains', columns: [hostColumn, { ...codeColumn, name: 'customer' }], keys: ['host'] },
  find: (work, given) => read(work, textsOf(given, 'host')),
  check: async (work, pairs) => {
    const known = await customerIdsOf(work, null)
    return pairs.map((pair) => complaintsOf(work, pair, known))
  },
  write: async (work, changes) => {
    const ids = await customerIdsOf(work, null)
    for (const { values, kept } of changes) {
      const [host, id] = [values.host as string, ids.get(values.customer as string)]
      // A store whose own row is wrong is not there, and nothing is kept in the end.
      if (id === undefined) continue
      await work.db.$client.query(
        `INSERT INTO customer_domains (customer_id, host) VALUES ($1, $2)
             ON CONFLICT (host) DO UPDATE SET customer_id = excluded.customer_id`,
        [id, host],
      )
      note(work, ids.get((kept?.values.customer as string) ?? ''), 'removed', host)
      note(work, id, 'added', host)
    }
  },
  all: async function* (work) {
    const rows = await read(work, null)
    if (rows.length > 0) yield rows
  },
  remove: async (work, kept) => {
    const ids = await customerIdsOf(work, null)
    for (const { values } of kept) note(work, ids.get(values.customer as string), 'removed', values.host as string)
    await work.db.$client.query('DELETE FROM customer_domains WHERE host = ANY($1::text[])', [kept.map(({ id }) => id)])
    return kept.length
  },
  count: async ({ db }) =>
    (await db.$client.query<{ count: number }>('SELECT count(*)::int AS count FROM customer_domains')).rows[0]!.count,
}
