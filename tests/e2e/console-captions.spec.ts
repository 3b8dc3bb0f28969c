import { makeFilm } from '#tests/support/video-files.ts'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { expect, test, textShown } from './store'

const srt = (text: string) => ({ name: 'captions.srt', mimeType: 'application/x-subrip', buffer: Buffer.from(text) })

test('captions are written, replaced from a file, translated and removed beside the video, chapters and the preview set', async ({
  page,
  store,
}) => {
  await enterConsole(page, '/products/new')
  const main = page.getByRole('main')
  const name = `Estuary ${Date.now()}`
  await page.getByLabel('Title').fill(name)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByLabel('Upload a video').setInputFiles(makeFilm('estuary.mp4', { seconds: 6, size: '160x90' }))
  await expect(main.getByText(/^Length: 0:0[56]$/)).toBeVisible({ timeout: 180_000 })
  await page.getByRole('link', { name: 'Captions and chapters' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const video = page.getByLabel(`Video: ${name}`)
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => Math.round(element.duration))).toBe(6)
  expect(await axeViolationsInBoth(page)).toEqual([])

  // Captions from nothing.
  await page.getByRole('button', { name: 'Add a language' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a language' })
  await dialog.getByLabel('Language').selectOption({ label: 'English' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Save captions' })).toBeDisabled()
  await page.getByRole('button', { name: 'Add a caption where the video is' }).click()
  await expect(page.getByLabel('Text')).toBeFocused()
  await page.getByLabel('Text').fill('The tide turns\nat noon.')
  const list = page.getByRole('list', { name: 'Captions' })
  await list.getByLabel('End', { exact: true }).fill('0:00')
  await expect(list.getByText('It must end after it starts.')).toBeVisible()
  await list.getByLabel('End', { exact: true }).fill('later')
  await expect(list.getByText('Type a time such as 1:02.5.')).toBeVisible()
  // Nothing is saved in its place, and no other caption hides it.
  await list.getByLabel('End', { exact: true }).fill('0:02')
  await list.getByLabel('End', { exact: true }).fill('later')
  for (const name of ['Save captions', 'Add a caption where the video is']) {
    await page.getByRole('button', { name }).click()
    await expect(list.getByLabel('End', { exact: true })).toBeFocused()
    await expect(list.getByRole('listitem')).toHaveCount(1)
  }
  await list.getByLabel('End', { exact: true }).fill('2,5')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Split' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  const shownCues = () =>
    video.evaluate((element: HTMLVideoElement) =>
      // The track has captions alone.
      [...(element.textTracks[0]?.cues ?? [])].map((cue) => (cue as VTTCue).text),
    )
  await expect.poll(shownCues).toEqual(['The tide turns\nat noon.'])
  // A time that is none is not saved as the one before.
  const end = list.getByLabel('End', { exact: true })
  await end.fill('later')
  await page.getByRole('button', { name: 'Save captions' }).click()
  await expect(end).toBeFocused()
  await end.fill('2,5')
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  const captionsSaved = textShown(page, 'Captions saved')
  await page.getByRole('button', { name: 'Save captions' }).click()
  await captionsSaved
  await expect(page.getByRole('button', { name: 'Save captions' })).toBeDisabled()

  // From a file, which is refused with its line first.
  const choose = page.getByLabel('Replace from a file')
  await choose.setInputFiles(srt('1\n00:00:01 -> 00:00:02\nHello\n'))
  await expect(page.getByRole('alert').filter({ hasText: 'Line 1:' })).toBeVisible()
  await choose.setInputFiles(
    srt('1\n00:00:01,000 --> 00:00:02,000\nBoats leave.\n\n2\n00:00:03,000 --> 00:00:04,000\nBoats come home.\n'),
  )
  await expect(list.getByRole('button', { name: /0:01\s*Boats leave\./ })).toBeVisible()
  await page.getByRole('button', { name: 'Shift all times' }).click()
  await page.getByRole('dialog').getByLabel('Seconds').fill('0.5')
  await page.getByRole('dialog').getByRole('button', { name: 'Shift', exact: true }).click()
  await list.getByRole('button', { name: /0:03\.5\s*Boats come home\./ }).click()
  // What viewers would notice is told while it is typed.
  await page.getByLabel('Text').fill('Boats come home with the tide, and everybody in the harbour knows their names.')
  await expect(list.getByRole('status')).toHaveText('Too fast to read')
  await page.getByLabel('Text').fill('Boats come home.')
  await expect(list.getByRole('status')).toHaveText('')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeCloseTo(3.5, 1)
  await page.getByLabel('Search captions').fill('leave')
  await expect(list.getByRole('button', { name: /Boats leave/ })).toBeVisible()
  await page.getByLabel('Search captions').fill('')
  await page.getByRole('button', { name: 'Save captions' }).click()
  await expect(page.getByRole('button', { name: 'Save captions' })).toBeDisabled()

  // The version before is opened in the editor, and given up.
  await page.getByLabel('Earlier versions').selectOption({ index: 1 })
  await expect(list.getByRole('button', { name: /Boats leave/ })).toBeHidden()
  expect(await axeViolationsInBoth(page)).toEqual([])
  // What is not saved is replaced only after a question.
  await page.getByLabel('Earlier versions').selectOption({ index: 1 })
  const question = page.getByRole('alertdialog', { name: 'Replace what is not saved?' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await question.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByRole('button', { name: /Boats leave/ })).toBeVisible()
  await page.getByRole('button', { name: 'Save captions' }).click()
  await expect(page.getByRole('button', { name: 'Save captions' })).toBeDisabled()

  // A translation with the same times.
  await page.getByRole('button', { name: 'Add a language' }).click()
  await dialog.getByLabel('Language').selectOption({ label: 'Korean' })
  await expect(dialog.getByLabel('Begin with')).toHaveValue('COPY')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByLabel('Name for viewers')).toHaveValue('한국어')
  await list.getByRole('button', { name: /Boats leave/ }).click()
  await page.getByLabel('Text').fill('배가 떠나요.')
  await page.getByLabel('Text').press('Alt+ArrowDown')
  await expect(page.getByLabel('Text')).toHaveValue('Boats come home.')
  await page.getByLabel('Text').fill('배가 돌아와요.')
  await page.getByRole('button', { name: 'Save captions' }).click()
  await expect(main.getByLabel('Language')).toHaveValue('ko')
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const stored = await page.evaluate(
    async (path) => (await fetch(path)).json(),
    `/api/v1/customers/aurora/admin/videos/${id}/captions/ko`,
  )
  expect(stored.webVtt).toContain('00:00:01.500 --> 00:00:02.500\n배가 떠나요.')

  // Chapters.
  await page.getByRole('button', { name: 'Add a chapter where the video is' }).click()
  const chapter = page.getByRole('group', { name: '1. New chapter' })
  await chapter.getByLabel('Start', { exact: true }).fill('59')
  await chapter.getByLabel('Title', { exact: true }).fill('The return')
  await page.getByRole('button', { name: 'Translations 0 of' }).click()
  await page.getByLabel('Title (한국어)').fill('귀환')
  await page.getByRole('button', { name: 'Save chapters' }).click()
  store.expected.push(/422/)
  await expect(page.getByText(/before the end of the video/)).toBeVisible()
  await page.getByRole('group', { name: '1. The return' }).getByLabel('Start', { exact: true }).fill('3')
  expect(await axeViolationsInBoth(page)).toEqual([])
  const saved = textShown(page, 'Chapters saved')
  await page.getByRole('button', { name: 'Save chapters' }).click()
  await saved
  // The preview begins where the video can be cut.
  await expect(main.getByText('Anyone can watch 0:00 to 0:02 of the video as a preview.')).toBeVisible()
  await main.getByLabel('Starts at').fill('3,5')
  await main.getByLabel('Length in seconds').fill('4')
  const previewSaved = textShown(page, 'Preview saved')
  await page.getByRole('button', { name: 'Save preview' }).click()
  await previewSaved
  await expect(main.getByText('Anyone can watch 0:02 to 0:06 of the video as a preview.')).toBeVisible()
  await expect(main.getByLabel('Starts at')).toHaveValue('0:02')
  await expect(main.getByRole('listitem').filter({ hasText: 'Preview changed' })).toBeVisible()
  // A proxy that does not wait answers in place of the store, which may go on.
  store.expected.push(/504/)
  await page.route('**/preview', (route) => route.fulfill({ status: 504, body: 'Gateway Time-out' }), { times: 1 })
  await main.getByLabel('Length in seconds').fill('2')
  await page.getByRole('button', { name: 'Save preview' }).click()
  await expect(main.getByText('The store did not answer, but may have cut the preview.')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Load the latest state' }).click()
  await expect(main.getByText('The store did not answer')).toHaveCount(0)
  await expect(main.getByText('Anyone can watch 0:02 to 0:06 of the video as a preview.')).toBeVisible()
  // A time that is none is not sent.
  await main.getByLabel('Length in seconds').fill('3')
  await main.getByLabel('Starts at').fill('soon')
  await page.getByRole('button', { name: 'Save preview' }).click()
  await expect(main.getByLabel('Starts at')).toBeFocused()
  await main.getByLabel('Show a preview').uncheck()
  await page.getByRole('button', { name: 'Save preview' }).click()
  await expect(main.getByText(/^This video has no preview/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save preview' })).toBeDisabled()
  // A draft that is still there would be offered.
  await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('console-draft ')))
  await page.reload()
  await page.getByRole('button', { name: 'Translations 1 of' }).click()
  await expect(page.getByLabel('Title (한국어)')).toHaveValue('귀환')
  await main.getByLabel('Language').selectOption({ label: '한국어' })
  await expect(list.getByRole('button', { name: /배가 떠나요/ })).toBeVisible()
  await page.getByRole('button', { name: 'Remove this language' }).click()
  await page.getByLabel('Type ko to confirm').fill('ko')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
  // The toast, and the history of the video.
  await expect(page.getByText('Captions removed', { exact: true })).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'Captions removed' })).toBeVisible()
  await expect(list.getByRole('button', { name: /Boats leave/ })).toBeVisible()
  await page.getByRole('link', { name: 'Product', exact: true }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Captions removed' })).toBeVisible()
})
