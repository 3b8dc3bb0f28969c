import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#api/platform/log/log.ts'
import { errorCode } from '#contract/safe-error.ts'

/**
 * The start time of a process on Linux, which distinguishes it from another one with the same id.
 * Empty elsewhere.
 */
const startTimeOf = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

export const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Locks a folder for this process, until disposed. A lock of a process that has ended is replaced.
 * @throws OperatorError if another process has the lock
 */
export const lockFolder = async (folder: string): Promise<AsyncDisposable> => {
  const path = join(folder, 'owner.lock')
  const ownProcess = `${process.pid} ${await startTimeOf(process.pid)}`
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeFile(path, ownProcess, { flag: 'wx' })
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    const [pid, startTime] = (await readFile(path, 'utf8').catch(() => '')).split(' ')
    if (pid && isAlive(Number(pid)) && (await startTimeOf(Number(pid))) === startTime)
      throw new OperatorError(
        `The folder ${folder} is in use by another Marquee process (${pid}). Stop that process first.`,
      )
    await rm(path, { force: true })
  }
  throw new OperatorError(`The folder ${folder} is being opened by another Marquee process. Try again.`)
}
