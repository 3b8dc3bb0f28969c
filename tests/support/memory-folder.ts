import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
/** A whole run writes about a gigabyte. */
const enough = 4 * 1024 ** 3

/**
 * A folder for the files of tests, in memory where there is room: writing them to a disk takes a
 * seventh of the CPU time of the tests. Otherwise it is the system's folder for temporary files.
 */
export function memoryFolder(): string {
  if (tmpdir().startsWith(memory) || !hasRoom()) return tmpdir()
  return memory
}

function hasRoom(): boolean {
  try {
    // Containers may forbid running programs from there, which some tests do.
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm \S+ (\S+)/m)?.[1]
    if (!mount?.startsWith('rw') || mount.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > enough && process.availableMemory() > 2 * enough
  } catch {
    return false
  }
}
