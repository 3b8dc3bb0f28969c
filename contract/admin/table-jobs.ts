import * as z from 'zod/mini'
import { tableJobId } from '../ids.ts'
import type { Permission } from '../permissions.ts'
import { contentTables, importTable } from './imports.ts'
import { listPermissions } from './lists.ts'

/** The tables of a catalogue, and the lists of the console that are exported. */
export const jobTable = z.enum([
  ...importTable.options,
  'orders',
  'movements',
  'deposits',
  'subscriptions',
  'members',
  'inquiries',
  'mails',
  'audit',
  'product-list',
  'comments',
  'suppressed-addresses',
  'videos',
  'cases',
  'webhook-deliveries',
])
export type JobTable = z.output<typeof jobTable>

/** What a list needs to be exported, where it is more than to be read. */
const exportPermissions: Partial<Record<JobTable, Permission>> = {
  orders: 'orders:write',
  movements: 'orders:write',
  deposits: 'deposits:write',
  subscriptions: 'orders:write',
  members: 'members:write',
}

/** What a caller needs to see the imports and exports of a table. */
export const tablePermissions = (table: JobTable): readonly Permission[] => {
  const ofContent: readonly JobTable[] = contentTables
  const ofLists: Partial<Record<JobTable, Permission>> = listPermissions
  const ofList = ofLists[table]
  if (ofList) return [ofList]
  return ofContent.includes(table) ? ['products:read', 'content:read'] : ['products:read']
}

/** CHECK is an import that changes nothing. */
const tableJobKind = z.enum(['IMPORT', 'CHECK', 'UNDO', 'EXPORT'])
export type TableJobKind = z.output<typeof tableJobKind>

/** What a caller needs to begin an import or export of a table, and to cancel it. */
export const tableJobPermissions = (kind: TableJobKind, table: JobTable): readonly Permission[] => {
  if (kind === 'EXPORT') {
    const permission = exportPermissions[table]
    return permission ? [permission] : tablePermissions(table)
  }
  const ofContent: readonly JobTable[] = contentTables
  return ofContent.includes(table) ? ['products:write', 'content:write'] : ['products:write']
}

/**
 * REFUSED: the table has problems, so nothing was imported. CANCELLED: somebody has canceled it, or
 * the caller of an export has left.
 */
const tableJobStatus = z.enum(['RUNNING', 'DONE', 'REFUSED', 'FAILED', 'CANCELLED'])
export type TableJobStatus = z.output<typeof tableJobStatus>

/** How long an import or export is listed. Then it is deleted. */
export const tableJobDays = 30

export const tableJob = z.object({
  id: tableJobId,
  kind: tableJobKind,
  table: jobTable,
  /** The file of an import; null for an export. */
  file: z.nullable(z.string()),
  status: tableJobStatus,
  /** The rows that are read so far. */
  rows: z.int(),
  /** The rows that an export of a list began with; null where they are too many to be counted. */
  total: z.nullable(z.int()),
  /** By its pace since it began; null until rows are read, without a total, and once ended. */
  secondsLeft: z.nullable(z.int()),
  /** The query of an export of a list that failed or was canceled. It begins it again. */
  filters: z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  /** The problems for which it was refused. */
  problems: z.int(),
  by: z.string(),
  createdAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type TableJob = z.output<typeof tableJob>

/** Those of the last days that the caller may see, the latest first, at most 50. */
export const tableJobs = z.object({ items: z.array(tableJob) })
export const tableJobPath = z.object({ id: tableJobId })
