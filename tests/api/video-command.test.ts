import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { videos } from '#api/modules/catalog/catalog.schema.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { processEnvironment } from '#tests/support/command.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { makeFilm, makeLongFilm } from '#tests/support/video-files.ts'
import { filesOf } from '#tests/support/video-jobs.ts'

// The command checks whether a worker listens for jobs, so other tests use another database.
const database = await ownDatabase()
const api = createTestApi({ database })
const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-cli-'))
const timeout = 180_000
const film = makeFilm("the tide's turn.mp4", { size: '160x90' })

/** Runs the operators' command as a shell does. */
const begin = (tenant: Tenant, args: string[], env: Record<string, string> = {}) => {
  const environment = {
    ...processEnvironment(),
    MARQUEE_DATA: dataFolder,
    DATABASE_URL: database.url,
    JOBS_DATABASE_URL: database.jobsUrl,
    MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
    ...env,
  }
  const [action = '', ...rest] = args
  const command = ['server/launch.js', 'cli', 'video', action, '--customer', tenant.code, '--by', 'Jo', ...rest]
  const running: ChildProcess = spawn(process.execPath, command, { env: environment })
  let output = ''
  for (const stream of [running.stdout, running.stderr])
    stream?.on('data', (part) => {
      output += part
    })
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    running.once('close', (code) => resolve({ code, output })),
  )
  return { ended, output: () => output, interrupt: () => running.kill('SIGINT') }
}
const run = (...given: Parameters<typeof begin>) => begin(...given).ended

test(
  'the command makes a stream of a film without a running store, and reports every mistake in one sentence',
  async () => {
    const tenant = await createTenant(api)
    await tenant.createProduct({ code: 'K100' })
    const to = ['--product', 'K100']
    const [made, ...refused] = await Promise.all([
      run(tenant, ['add', ...to, film]),
      run(tenant, ['add', '--product', 'k10', film]),
      run(tenant, ['add', ...to, '/nowhere/film.mp4']),
      run(tenant, ['add', ...to, '--lesson', '3', film]),
      run(tenant, ['add', ...to, '--caption', 'lecture.srt', film]),
      run(tenant, ['add', ...to, film], { FFMPEG_PATH: '/nowhere/ffmpeg' }),
    ])
    expect(made).toMatchObject({ code: 0 })
    expect(made?.output).toContain('No server is running on this data, so the video is encoded here.')
    expect(made?.output).toContain("the tide's turn.mp4 → K100: ready")
    const sentences = [
      'There is no product k10 in',
      '/nowhere/film.mp4 does not exist.',
      'K100 has no lessons: there is no lesson 3.',
      'Enter a language and a file, for example ko=lecture.ko.srt.',
      'FFMPEG_PATH is /nowhere/ffmpeg, which is not a program.',
    ]
    for (const [at, sentence] of sentences.entries()) {
      expect(refused[at]?.output).toContain(sentence)
      expect(refused[at]?.code).toBe(1)
    }
    expect(refused[0]?.output).toContain('Did you mean K100?')
    expect(await tenant.within((db) => db.select().from(videos))).toHaveLength(1)
    const listed = await run(tenant, ['list'])
    expect(listed.output).toMatch(/READY\s+100 %\s+K100\s+the tide's turn\.mp4/)
    const { work, sources } = filesOf({ dataFolder })
    expect({ work, sources }).toEqual({ work: [], sources: [] })
  },
  timeout,
)

test(
  'Ctrl-C cancels the command’s job without a prompt where there is no terminal, and leaves no files',
  async () => {
    const tenant = await createTenant(api)
    await tenant.createProduct({ code: 'K200' })
    const long = makeLongFilm('long.mp4', { times: 4, size: '640x360' })
    const running = begin(tenant, ['add', '--product', 'K200', long])
    await expect.poll(running.output, { timeout: 60_000 }).toContain('long.mp4 → K200: encoding')
    running.interrupt()
    expect((await running.ended).code).toBe(1)
    expect(running.output()).toContain('long.mp4 → K200: cancelled. Cancelled by admin:Jo.')
    expect(await tenant.within((db) => db.select().from(videoJobs))).toMatchObject([
      { status: 'CANCELLED', step: null },
    ])
    expect(filesOf({ dataFolder }).work).toEqual([])
  },
  timeout,
)
