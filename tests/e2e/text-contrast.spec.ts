import type { Locator, Page } from 'playwright/test'
import sharp from 'sharp'
import { expect, test } from './store'

type Colour = readonly [number, number, number]

const luminance = (colour: Colour) => {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: Colour, other: Colour) => {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** Replaces all pictures of the store with one colour, the worst background for a text. */
async function paintArtwork(page: Page, background: string) {
  const body = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer()
  await page.route(/\/media\//, (route) => route.fulfill({ contentType: 'image/png', body }))
}

/** The least contrast of each text of a block with the pixels that lie behind it. */
async function minContrasts(block: Locator, selector: string): Promise<{ text: string; min: number }[]> {
  const texts = await block.evaluate((element, selector) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d')!
    const { x, y } = element.getBoundingClientRect()
    return [...element.querySelectorAll<HTMLElement>(selector)].map((text) => {
      canvas.fillStyle = getComputedStyle(text).color
      canvas.fillRect(0, 0, 1, 1)
      // Only the letters become transparent; their background stays.
      text.style.setProperty('-webkit-text-fill-color', 'transparent')
      const box = text.getBoundingClientRect()
      return {
        text: text.textContent,
        colour: [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)] as [number, number, number],
        left: Math.floor(box.x - x),
        top: Math.floor(box.y - y),
        width: Math.ceil(box.width),
        height: Math.ceil(box.height),
      }
    })
  }, selector)
  const picture = sharp(await block.screenshot({ animations: 'disabled' })).removeAlpha()
  const { width: widest, height: highest } = await picture.metadata()
  return Promise.all(
    texts.map(async ({ text, colour, left, top, width, height }) => {
      const behind = {
        left: Math.max(0, left),
        top: Math.max(0, top),
        width: Math.min(width, widest - left),
        height: Math.min(height, highest - top),
      }
      const { data, info } = await picture.clone().extract(behind).raw().toBuffer({ resolveWithObject: true })
      let min = Number.POSITIVE_INFINITY
      for (let at = 0; at < data.length; at += info.channels)
        min = Math.min(min, contrast(colour, [data[at]!, data[at + 1]!, data[at + 2]!]))
      return { text, min }
    }),
  )
}

test('texts over artwork have a contrast of 4.5:1 on every picture, at every width', async ({ page, store }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const background of ['#ffffff', '#000000']) {
    await paintArtwork(page, background)
    for (const tenant of ['aurora', 'hangang']) {
      await page.goto(store.at(tenant))
      for (const width of [375, 1440, 1920]) {
        await page.setViewportSize({ width, height: 1000 })
        await page.waitForLoadState('networkidle')
        const main = page.getByRole('main')
        const texts = await minContrasts(main.locator('section li').first(), 'h1, p')
        for (const block of await main.locator('article[data-tone]').all())
          texts.push(...(await minContrasts(block, 'h2, p')))
        expect(texts.length).toBeGreaterThan(5)
        for (const { text, min } of texts)
          expect.soft(min, `${tenant} at ${width} px on ${background}: ${text}`).toBeGreaterThanOrEqual(4.5)
      }
    }
    await page.unroute(/\/media\//)
  }
})

test('print is white and has no header in every theme', async ({ page, store }) => {
  await store.signIn()
  for (const path of ['/mypages/order-histories', '/notices', '/products/the-last-light']) {
    await page.goto(path)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('contentinfo')).toBeHidden()
    const heading = page.getByRole('main').getByRole('heading', { level: 1 })
    await expect(heading).toBeVisible()
    const [text, paper] = await page.evaluate(() => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')!
      const read = (colour: string) => {
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)] as [number, number, number]
      }
      return [
        read(getComputedStyle(document.querySelector('main h1')!).color),
        read(getComputedStyle(document.documentElement).backgroundColor),
      ]
    })
    expect(paper, path).toEqual([255, 255, 255])
    expect(contrast(text!, paper!), path).toBeGreaterThan(12)
    await page.emulateMedia({ media: 'screen' })
  }
})
