import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts a disk in memory of some megabytes; null without the right to mount. */
export const smallDisk = (megabytes: number): (Disposable & { folder: string }) | null => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-small-'))
  try {
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  const unmount = () => {
    execFileSync('/usr/bin/umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  }
  return { folder, [Symbol.dispose]: unmount }
}

export const onlyRootMounts = 'Only root can mount a small disk.'
