import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The numbers of a process after its name, which may contain spaces. */
const statOf = (pid: string): number[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number)
  } catch {
    // It has ended meanwhile: its parent has its time.
    return []
  }
}

/** Ticks of a process: of itself, in its code and in the kernel, and of its children that ended. */
const sum = (stat: number[], fields: readonly number[]) => fields.reduce((total, at) => total + (stat[at] ?? 0), 0)
const [own, ended] = [
  [11, 12],
  [13, 14],
]

/**
 * User and system time of a PostgreSQL server with all its connections so far, in milliseconds.
 *
 * @param folder The folder of its data
 */
export const postgresCpu = (folder: string): number => {
  const [server = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  const children = globSync('/proc/[0-9]*')
    .map((path) => statOf(path.slice('/proc/'.length)))
    .filter((stat) => stat[1] === Number(server))
  const ticks = children.reduce((total, stat) => total + sum(stat, own), sum(statOf(server), [...own, ...ended]))
  return ticks * 10
}
