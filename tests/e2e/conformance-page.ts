import type { Page } from 'playwright/test'

/** Opens a modal as any part of the page would: by the global event. */
export const openModal = (page: Page, detail: object) =>
  page.evaluate((given) => window.dispatchEvent(new CustomEvent('modal:open', { detail: given })), detail)
export const closeModal = (page: Page, name: string) =>
  page.evaluate(
    (given) => window.dispatchEvent(new CustomEvent('modal:close', { detail: { name: given, visible: false } })),
    name,
  )

/** What the event carries that opens the preview of a film. */
export const previewDetail = (page: Page) =>
  page.evaluate(async () => {
    const response = await fetch('/api/v1/customers/aurora/new-products/the-last-light')
    const { id, previewId, code, title } = await response.json()
    return { name: 'videoPreview', visible: true, data: { productId: id, previewId, code, title } }
  })

/** A cookie of the page's store. */
export const cookieOf = async (page: Page, name: string) =>
  (await page.context().cookies(page.url())).find((cookie) => cookie.name === name)

export const footerLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name })

/** Sends the login form. */
export const submitLogin = async (page: Page, password: string) => {
  await page.getByLabel('Email', { exact: true }).fill('member@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
}
