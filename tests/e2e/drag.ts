import type { Locator } from 'playwright/test'

/** A screen that shows whole lists, so that nothing is scrolled while something is dragged. */
const tall = 6_000

/** Drags an item of a list by its handle to the top, the middle or the bottom of another one. */
export const drag = async (item: Locator, to: Locator, place: 'TOP' | 'MIDDLE' | 'BOTTOM') => {
  const page = item.page()
  const size = page.viewportSize()
  if (!size) throw new Error('The page has no viewport')
  await page.setViewportSize({ width: size.width, height: tall })
  const box = await to.boundingBox()
  if (!box) throw new Error('The place to drop it is not shown')
  const y = { TOP: 2, MIDDLE: box.height / 2, BOTTOM: box.height - 2 }[place]
  await item.locator('[title="Drag to move"]').dragTo(to, { targetPosition: { x: 60, y } })
  await page.setViewportSize(size)
}
