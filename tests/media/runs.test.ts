import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PackageProgress } from '#api/modules/media/package/cut.ts'
import { ffmpeg, h264, openFolder, packageFilm, picture, tone } from '#tests/support/films.ts'

/** The progress reports of packaging, and the end of an aborted encoding. */

const folder = await openFolder()
const at = (name: string) => join(folder, name)

test('progress rises to a hundred, and has an estimate of the remaining time', async () => {
  const reported: PackageProgress[] = []
  await ffmpeg('-v', 'error', ...picture(), ...tone(), ...h264, '-c:a', 'aac', at('plain.mp4'))
  await packageFilm(folder, at('plain.mp4'), { onProgress: (progress) => reported.push(progress) })
  const percents = reported.map(({ percent }) => percent)
  expect(percents).toEqual([...percents].sort((a, b) => a - b))
  expect(percents.at(-1)).toBe(100)
  expect([...new Set(reported.map(({ step }) => step))]).toEqual(['PROBE', 'ENCODE', 'PACKAGE'])
})

test('an aborted encoding ends at once, with all its processes', async () => {
  // A script that starts ffmpeg, as an operator may configure one; it records its processes.
  const script = at('slow-ffmpeg')
  await writeFile(script, `#!/bin/sh\nffmpeg -re "$@" &\necho "$$ $!" >> "${at('pids')}"\nwait $!\n`)
  await chmod(script, 0o755)
  const films = [...picture('size=160x90:rate=25', 30), ...h264, at('long.mp4')]
  await ffmpeg('-v', 'error', ...films)
  const off = new AbortController()
  const begun = performance.now()
  const failure = await packageFilm(folder, at('long.mp4'), {
    program: script,
    signal: off.signal,
    onProgress: ({ step, percent }) => {
      if (step === 'ENCODE' && percent > 4) off.abort(new Error('called off'))
    },
  }).catch((error) => error)
  expect(failure).toMatchObject({ message: 'called off' })
  expect(performance.now() - begun, 'long before the film would have been encoded').toBeLessThan(20_000)
  const pids = (await readFile(at('pids'), 'utf8')).trim().split(/\s+/).map(Number)
  expect(pids.length).toBeGreaterThan(1)
  const running = await Promise.all(
    pids.map(async (pid) => /State:\s+[^ZX]/.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))),
  )
  expect(running.filter(Boolean), 'nothing is left running').toEqual([])
})

test('a failure to write posters aborts the encoding beside it, and is the reported error', async () => {
  const script = at('no-posters')
  await writeFile(
    script,
    `#!/bin/sh
case "$*" in
  *poster-1*) until [ -s "${at('sheets')}" ]; do sleep 0.02; done; echo "no room for pictures" >&2; exit 3 ;;
  *tile=*) echo "$$" >> "${at('sheets')}"; exec sleep 60 ;;
esac
exec ffmpeg "$@"
`,
  )
  await chmod(script, 0o755)
  await ffmpeg('-v', 'error', ...picture(), ...tone(), ...h264, '-c:a', 'aac', at('two-works.mp4'))
  const begun = performance.now()
  const failure = await packageFilm(folder, at('two-works.mp4'), { program: script }).catch((error) => error)
  expect(failure).toMatchObject({ message: expect.stringContaining('no room for pictures') })
  expect(performance.now() - begun, 'the sheets are not waited for').toBeLessThan(30_000)
  const sheets = (await readFile(at('sheets'), 'utf8')).trim()
  const status = await readFile(`/proc/${sheets}/status`, 'utf8').catch(() => '')
  expect(status, 'nothing is left running').not.toMatch(/State:\s+[^ZX]/)
})
