import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { removeVideo } from '#api/modules/media/video-jobs.ts'
import { productCode } from '#contract/ids.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { openMedia } from '#tests/support/media.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { videosOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const run = quickCommandOf(api)
const media = await openMedia(api)
const timeout = 240_000
const film = await readFile(makeFilm('lecture.mp4', { size: '160x90' }))
const srt = (text: string) => `1\n00:00:00,000 --> 00:00:01,500\n${text}\n`

const importInto = (tenant: Tenant, path: string, ...more: string[]) =>
  run(['catalog', 'import', path, '-c', tenant.code, '--by', 'Jo', ...more])
const exportFrom = async (tenant: Tenant, ...more: string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-films-'))
  return { folder, answer: await run(['catalog', 'export', folder, '-c', tenant.code, ...more]) }
}
const jobsOf = (tenant: Tenant) =>
  tenant.within((db) => db.select().from(videoJobs).orderBy(videoJobs.createdAt, videoJobs.id))
/** Encodes all queued videos. */
const encodeAll = async (tenant: Tenant) => {
  const { work } = await videosOf(api, tenant)
  await work(async () => (await jobsOf(tenant)).every(({ endedAt }) => endedAt !== null))
}
const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const table = (rows: readonly (readonly string[])[]) => rows.map((row) => `${row.map(cell).join(',')}\n`).join('')
const columns = ['video', 'video_captions', 'video_audio', 'video_chapters', 'video_language', 'video_preview']

test(
  'an import adds captions, chapters and the preview of a film, and encodes it again when they change',
  async () => {
    const tenant = await createTenant(api)
    const folder = await folderOf({
      'products.csv': table([
        ['code', 'title', 'kind', 'access', ...columns],
        [
          ...['K1', 'A lecture', 'FREE', 'FREE', 'lecture.mp4', 'ko=lecture.ko.srt|en=lecture.en.srt'],
          '',
          'parts.txt',
          'ko',
          '1@0.5',
        ],
      ]),
      'lecture.mp4': film,
      'lecture.ko.srt': srt('조수가 바뀐다'),
      'lecture.en.srt': srt('The tide turns'),
      'parts.txt': '00:00 Opening\n00:01 The second part\n',
    })
    expect((await importInto(tenant, folder, '--dry-run')).out).toContain('Videos to be encoded: 1.')
    expect(await importInto(tenant, folder)).toMatchObject({ code: 0, err: '' })
    expect(await jobsOf(tenant)).toMatchObject([
      { options: { language: 'ko', previewSeconds: 1, previewStartSeconds: 0.5 } },
    ])
    expect((await importInto(tenant, folder)).out).toMatch(/products\.csv\s+0\s+0\s+1\s+0/)
    await encodeAll(tenant)
    const { id } = await tenant.guest.catalog.product({ id: 'K1' })
    const played = await tenant.guest.playback.startPlayback({ id })
    expect(played.captions.map(({ language }) => language).sort()).toEqual(['en', 'ko'])
    expect(played.chapters).toMatchObject([{ title: 'Opening' }, { startSeconds: 1, title: 'The second part' }])
    const korean = played.captions.find(({ language }) => language === 'ko')
    expect((await media.get(korean?.url ?? '')).text).toContain('조수가 바뀐다')
    expect((await importInto(tenant, folder)).out).toMatch(/products\.csv\s+0\s+0\s+1\s+0/)

    // The file has the same size and other text.
    await writeFile(join(folder, 'lecture.en.srt'), srt('The tide burns'))
    const changed = await importInto(tenant, folder)
    expect(changed.out).toMatch(/products\.csv\s+0\s+1\s+0\s+0/)
    expect(await jobsOf(tenant)).toHaveLength(2)
    expect((await importInto(tenant, folder)).out).toMatch(/products\.csv\s+0\s+0\s+1\s+0/)
    // An import without the columns leaves the film unchanged.
    const plain = await folderOf({
      'products.csv': 'code,title,kind,video\nK1,A lecture,FREE,lecture.mp4\n',
      'lecture.mp4': film,
    })
    expect((await importInto(tenant, plain)).out).toMatch(/products\.csv\s+0\s+0\s+1\s+0/)
    expect(await jobsOf(tenant)).toHaveLength(2)

    // A film that was removed is imported again with its file.
    await encodeAll(tenant)
    const { ctx } = await videosOf(api, tenant)
    await ctx.inTransaction((tx) =>
      removeVideo(tx, 'admin:Jo', { productId: id, productCode: productCode.parse('K1'), lessonId: null }),
    )
    expect((await importInto(tenant, folder)).out).toContain('Videos being encoded: 1.')
  },
  timeout,
)

test(
  'an import reports invalid captions, audio and chapters by row and column, and saves nothing',
  async () => {
    const tenant = await createTenant(api)
    const folder = await folderOf({
      'products.csv': table([
        ['code', 'title', 'kind', ...columns],
        ['K1', 'One', 'VOD', 'lecture.mp4', 'ko=bad.srt', 'en=none.m4a', 'bad.txt', 'xx-', '700'],
        ['K2', 'Two', 'VOD', '', 'ko=good.srt', '', '', '', '30'],
        ['K3', 'Three', 'VOD', 'lecture.mp4', 'ko=good.srt|ko=good.srt', 'good.srt', 'late.txt', '', '30@'],
      ]),
      'lessons.csv': table([
        ['product', 'sort', 'title', ...columns],
        ['K2', '1', 'A lesson', 'lecture.mp4', 'ko=../good.srt', '', '', '', ''],
      ]),
      'lecture.mp4': film,
      'good.srt': srt('Good'),
      'bad.srt': 'These are no captions.',
      'bad.txt': '00:00 Opening\nthe end\n',
      'late.txt': '00:30 Opening\n00:10 Before it\n',
    })
    for (const more of [['--dry-run'], []]) {
      const { code, err } = await importInto(tenant, folder, ...more)
      for (const sentence of [
        'products.csv, row 2, video_captions: “ko=bad.srt” The captions "bad.srt" cannot be read, line 1: expected times',
        'products.csv, row 2, video_audio: “en=none.m4a” must be the path of a file',
        'products.csv, row 2, video_chapters: “bad.txt” Line 2 of the chapters must be a time and a title',
        'products.csv, row 2, video_language: “xx-” must be a language tag',
        'products.csv, row 2, video_preview: “700” must be the length of the preview in seconds, from 0 (no preview) to 600',
        'products.csv, row 3, video_captions: “ko=good.srt” must be empty unless video is the path of a film',
        'products.csv, row 3, video_preview: “30” must be empty unless video is the path of a film',
        'products.csv, row 4, video_captions: “ko=good.srt|ko=good.srt” must have one file per language, but has two for ko',
        'products.csv, row 4, video_audio: “good.srt” must be a language and a file, for example en=media/lesson.en.m4a',
        'products.csv, row 4, video_chapters: “late.txt” Chapter 2 must start after the one before it',
        'products.csv, row 4, video_preview: “30@” must be the length of the preview',
        'lessons.csv, row 2, video_captions: “ko=../good.srt” must be a path below the folder of its table',
      ])
        expect(err).toContain(sentence)
      expect(code).toBe(1)
    }
    expect(await jobsOf(tenant)).toEqual([])
    expect((await tenant.guest.catalog.search({})).total).toBe(0)
  },
  timeout,
)

test(
  'an export includes films whose source is stored, names the others, and imports into another store',
  async () => {
    const tenant = await createTenant(api)
    const folder = await folderOf({
      'products.csv': table([
        ['code', 'title', 'kind', 'access', ...columns],
        ['K1', 'Kept', 'FREE', 'FREE', 'the "best": one.mp4', 'en=one.srt', 'ko=dub.mp4', 'parts.txt', 'en', '0'],
        ['K2', 'Series', 'FREE', 'FREE', '', '', '', '', '', ''],
      ]),
      'lessons.csv': table([
        ['product', 'sort', 'title', 'video', 'free'],
        ['K2', '1', 'Lesson', '첫 강의.mp4', 'yes'],
      ]),
      'the "best": one.mp4': film,
      'dub.mp4': film,
      'one.srt': srt('The tide turns'),
      'parts.txt': '00:00 Opening\n00:01.250 - The end\n',
      '첫 강의.mp4': film,
    })
    expect(await importInto(tenant, folder, '--keep-sources')).toMatchObject({ code: 0, err: '' })
    const withoutSource = await folderOf({
      'products.csv': 'code,title,kind,video\nK3,Not kept,VOD,three.mp4\n',
      'three.mp4': film,
    })
    expect((await importInto(tenant, withoutSource)).code).toBe(0)
    await encodeAll(tenant)

    const plain = await exportFrom(tenant)
    expect(plain.answer).toMatchObject({ code: 0, err: '' })
    expect(plain.answer.out).toContain('Films not exported: 3.')
    expect((await importInto(tenant, plain.folder)).out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)

    const { folder: out, answer } = await exportFrom(tenant, '--videos')
    expect(answer.code).toBe(0)
    expect(answer.out).toContain('Films exported: 2')
    expect(answer.err.trim()).toMatch(
      /^products, K3 · Not kept: the film was not exported because its source file was deleted/,
    )
    const products = await readFile(join(out, 'products.csv'), 'utf8')
    expect(products).toMatch(/^K1,.*films\/[0-9a-f-]+\/film\/the _best__ one\.mp4/m)
    // Imported into the same store, the export changes nothing and encodes nothing.
    const jobs = (await jobsOf(tenant)).length
    const reimported = await importInto(tenant, out)
    expect(reimported.out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
    expect(reimported.out).toMatch(/lessons\.csv\s+0\s+0\s+1\s+0/)
    expect(await jobsOf(tenant)).toHaveLength(jobs)

    // Another store lacks the film that was not exported, and the error names its row.
    const copy = await createTenant(api)
    const refused = await importInto(copy, out)
    expect(refused.err).toMatch(
      /^products\.csv, row 4, video: “store:video\/\S+” must be a film of this store. There is none/,
    )
    await writeFile(join(out, 'products.csv'), products.replace(/store:video\/[0-9a-f-]+/, ''))
    expect(await importInto(copy, out, '--keep-sources')).toMatchObject({ code: 0, err: '' })
    await encodeAll(copy)
    const { id } = await copy.guest.catalog.product({ id: 'K1' })
    const played = await copy.guest.playback.startPlayback({ id })
    expect(played.captions).toMatchObject([{ language: 'en' }])
    expect(played.chapters).toMatchObject([{ title: 'Opening' }, { startSeconds: 1.25, title: 'The end' }])
    expect((await copy.guest.catalog.product({ id: 'K2' })).lessons).toMatchObject([{ title: 'Lesson' }])
    expect((await importInto(copy, out)).out).toMatch(/products\.csv\s+0\s+0\s+3\s+0/)
    const again = await exportFrom(copy, '--videos')
    expect(again.answer).toMatchObject({ code: 0, err: '' })
    expect((await importInto(copy, again.folder)).out).toMatch(/lessons\.csv\s+0\s+0\s+1\s+0/)
    expect(await jobsOf(copy)).toHaveLength(2)
  },
  timeout,
)
