import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { ffmpeg, h264, openFolder, picture, tone } from '#tests/support/films.ts'

/** A machine without ffmpeg, with or without the optional npm package. */

const folder = await openFolder()
const at = (name: string) => join(folder, name)
const root = new URL('../..', import.meta.url).pathname
const run = promisify(execFile)

/**
 * Packages a film in a process whose PATH has no ffmpeg. `program` is the path that the npm package
 * reports; null means that the package is missing.
 */
const packageWith = async (program: string | null) => {
  const resolved = program && `data:text/javascript,export const ffmpegPath = () => ${JSON.stringify(program)}`
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => {
      if (name !== 'node-av/ffmpeg') return next(name, context)
      if (${resolved === null}) throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
      return { url: ${JSON.stringify(resolved)}, shortCircuit: true }
    } })`
  const script = `import { packageVideo } from ${JSON.stringify(join(root, 'api/modules/media/package/package-video.ts'))}
    const place = ${JSON.stringify(at('made'))}
    const folders = { folder: place + '/film', previewFolder: place + '/preview', postersFolder: place + '/posters', workFolder: place + '/work' }
    const options = { captions: [], audio: [], chapters: [] }
    await packageVideo({ source: ${JSON.stringify(at('film.mkv'))}, name: 'film.mkv', ...folders, options,
      signal: new AbortController().signal, onProgress: () => undefined })
      .then(({ width, height, audio }) => console.log(JSON.stringify({ width, height, audio })),
        (error) => console.log(JSON.stringify({ name: error.name, message: error.message })))`
  await writeFile(at('hooks.mjs'), hooks)
  await writeFile(at('package.mjs'), script)
  const { stdout } = await run(process.execPath, ['--import', at('hooks.mjs'), at('package.mjs')], {
    env: { PATH: at('nothing') },
    cwd: root,
  })
  return JSON.parse(stdout) as Record<string, unknown>
}

beforeAll(async () => {
  const languages = ['-metadata:s:a:0', 'language=kor']
  await ffmpeg('-v', 'error', ...picture(), ...tone(), ...h264, '-c:a', 'aac', ...languages, at('film.mkv'))
  await mkdir(at('nothing'))
  const { stdout } = await run('which', ['ffmpeg'])
  await mkdir(at('node-av/binary'), { recursive: true })
  await symlink(stdout.trim(), at('node-av/binary/ffmpeg'))
})

test('a missing ffmpeg is reported in one sentence that says how to install it', async () => {
  expect(await packageWith(null)).toEqual({
    name: 'EncoderMissing',
    message: expect.stringMatching(
      /^Videos cannot be encoded: ffmpeg is not installed\. Install it .*FFMPEG_PATH.*npm install --no-save node-av@/,
    ),
  })
})

test('an npm package without its program is reported with the command that fetches it', async () => {
  expect(await packageWith(at('elsewhere/ffmpeg'))).toEqual({
    name: 'EncoderMissing',
    message: expect.stringMatching(
      /^Videos cannot be encoded: the package node-av is installed, but .* not downloaded\. Run `node node_modules/,
    ),
  })
})

test('a film becomes a valid stream with the npm package’s program alone', async () => {
  expect(await packageWith(at('node-av/binary/ffmpeg'))).toEqual({
    width: 160,
    height: 90,
    audio: [{ language: 'ko', label: '한국어' }],
  })
  expect(await checkStream(at('made/film'))).toEqual([])
})
