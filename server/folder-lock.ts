import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '#api/platform/log.ts'

/** When a process began, as Linux counts it; tells a living owner from a stranger that got its number. Empty elsewhere. */
const birthOf = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

export const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Takes a folder for this process alone, until disposed. A lock left behind by a process that is gone is taken over. */
export const lockFolder = async (folder: string): Promise<AsyncDisposable> => {
  const path = join(folder, 'owner.lock')
  const own = `${process.pid} ${await birthOf(process.pid)}`
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeFile(path, own, { flag: 'wx' })
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const [pid, birth] = (await readFile(path, 'utf8').catch(() => '')).split(' ')
    if (pid && isAlive(Number(pid)) && (await birthOf(Number(pid))) === birth)
      throw new StartupError(
        `The folder ${folder} is in use by another Marquee process (${pid}). Stop that process first.`,
      )
    await rm(path, { force: true })
  }
  throw new StartupError(`The folder ${folder} is being opened by another Marquee process. Try again.`)
}
