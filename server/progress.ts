/** Prints the current step, its elapsed time, and its expected duration where that is known. */
export const createProgress = (out: NodeJS.WriteStream = process.stdout) => {
  let timer: NodeJS.Timeout | undefined
  let current: { doing: string; since: number; about: number | undefined } | undefined

  const line = () => {
    if (!current) return ''
    const seconds = Math.round((Date.now() - current.since) / 1000)
    if (current.about !== undefined && seconds < current.about)
      return `${current.doing} … about ${current.about - seconds} s left`
    return seconds > 1 ? `${current.doing} … ${seconds} s` : `${current.doing} …`
  }
  const finish = () => {
    clearInterval(timer)
    if (current && out.isTTY)
      out.write(`\r\x1b[K✓ ${current.doing} (${((Date.now() - current.since) / 1000).toFixed(1)} s)\n`)
    current = undefined
  }
  return {
    /** Begins a step and ends the previous one. `about` is in seconds. */
    step: (doing: string, about?: number) => {
      finish()
      current = { doing, since: Date.now(), about }
      if (!out.isTTY) {
        out.write(`${line()}\n`)
        return
      }
      const show = () => out.write(`\r\x1b[K  ${line()}`)
      show()
      timer = setInterval(show, 1000)
      timer.unref()
    },
    done: finish,
  }
}
