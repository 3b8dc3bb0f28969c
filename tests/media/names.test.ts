import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { ffmpeg, h264, openFolder, packageFilm, picture } from '#tests/support/films.ts'

/** The name of a file is never read as an option, a path or a format. */

const folder = await openFolder()
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  await ffmpeg('-v', 'error', ...picture('size=64x64:rate=10', 0.5), ...h264, '-f', 'mp4', at('named.mp4'))
})

test.for([
  'two words.mp4',
  `it's "quoted".mp4`,
  '한강의 밤.mp4',
  'new\nline.mp4',
  '-nostdin.mp4',
  '%03d 100%.mp4',
  '$(touch owned);`id`.mp4',
  'concat:a|b.mp4',
  'http://127.0.0.1:1/film.mp4',
])('a file called %j is packaged, and its name is not read as an option or a path', async (name) => {
  const place = at('names')
  const path = join(place, name)
  await mkdir(dirname(path), { recursive: true })
  await copyFile(at('named.mp4'), path)
  const packaged = await packageFilm(folder, path, { name: `../../${name}` })
  expect(await checkStream(packaged.folder)).toEqual([])
  expect(packaged.durationSeconds).toBeCloseTo(0.5)
  expect((await readdir(folder)).filter((file) => file === 'owned')).toEqual([])
  expect((await readdir(packaged.place)).sort(), 'nothing beside the folders that were named').toEqual([
    'film',
    'film-preview',
    'posters',
  ])
})
