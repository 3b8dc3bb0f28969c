import type { Page } from 'playwright/test'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { newMember, password } from './new-member'
import { expect, test } from './store'

/** Sends two inquiries of a new member of Aurora, and returns the member's address. */
const ask = async (page: Page, at: string) => {
  const email = await newMember(page, at)
  await page.goto(`${at}/faq`)
  await page.evaluate(
    async ([address, secret]) => {
      const send = async (path: string, body: object, token?: string) => {
        const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
        const answer = await fetch(`/api/v1/customers/aurora${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
        return answer.json()
      }
      const { token } = await send('/login', { email: address, password: secret })
      for (const title of ['First', 'Second'])
        await send('/inquiries', { type: 'ETC', title: `${title} ${address}`, body: 'When is the next one?' }, token)
    },
    [email, password] as const,
  )
  return email
}

test('inquiries are assigned, a draft survives a reload, and an answer has a saved reply and a file', async ({
  page,
  store,
}, { retry }) => {
  store.expected.push(/422.*saved-replies/)
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await ask(page, at)
  const title = `In spring ${Date.now()}-${retry}`
  await enterConsole(page, '/inquiries')
  const main = page.getByRole('main')

  await main.getByRole('link', { name: 'Saved replies' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Saved replies' })).toBeVisible()
  await main.getByRole('button', { name: 'New saved reply' }).click()
  const dialog = page.getByRole('dialog', { name: 'New saved reply' })
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('Text', { exact: true }).fill('Dear {name}, about {number} “{subject}”: in spring.')
  // The member of this test reads English.
  await dialog.getByLabel('Text (한국어)').fill('{name}님, 봄에 합니다.')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(main).toContainText(title)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('button', { name: 'New saved reply' }).click()
  await dialog.getByLabel('Title').fill(title.toUpperCase())
  await dialog.getByLabel('Text', { exact: true }).fill('The same title.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('There is a saved reply with this title.')).toBeVisible()
  await dialog.getByLabel('Text', { exact: true }).fill('Dear {nope}')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('{nope} is not a placeholder.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Inquiries' }).click()
  await main.getByLabel('Number or email').fill(email)
  const table = main.getByRole('table', { name: 'Inquiries' })
  await expect(table.getByRole('row')).toHaveCount(3)
  // A telephone shows from whom and about what.
  const size = page.viewportSize()
  await page.setViewportSize({ width: 375, height: 812 })
  await expect(table.getByText(`${email} · `).first()).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  if (size) await page.setViewportSize(size)
  await main.getByRole('button', { name: 'Select all of this page' }).click()
  await main.getByRole('button', { name: 'Assign 2 inquiries' }).click()
  const assigning = page.getByRole('dialog', { name: 'Assign 2 inquiries' })
  await expect(assigning.getByLabel('Assigned to')).not.toHaveValue('')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await assigning.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(assigning).toContainText('2 inquiries were assigned.')
  await assigning.getByRole('button', { name: 'Close' }).last().click()
  await main.getByLabel('Assigned to').selectOption('Me')
  await expect(table.getByRole('row')).toHaveCount(3)
  await main.getByLabel('Assigned to').selectOption('Nobody')
  await expect(main).toContainText('No inquiry fits this search.')
  await main.getByLabel('Assigned to').selectOption('All')
  expect(await axeViolationsInBoth(page)).toEqual([])

  await table.getByRole('link', { name: `Second ${email}` }).click()
  await expect(main.getByRole('heading', { level: 1, name: `Second ${email}` })).toBeVisible()
  await main.getByLabel('Person').selectOption('Nobody')
  await expect(main.getByRole('button', { name: 'Assign to me' })).toBeVisible()
  await main.getByLabel('Answer').fill('Half an answer')
  await expect(main.getByText('Draft saved.')).toBeVisible()
  await page.reload()
  await expect(main.getByLabel('Answer')).toHaveValue('Half an answer')

  // Typed and left at once: it is kept as well.
  await main.getByLabel('Answer').fill('')
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Inquiries' }).click()
  await main.getByLabel('Number or email').fill(email)
  await table.getByRole('link', { name: `Second ${email}` }).click()
  await expect(main.getByLabel('Answer')).toHaveValue('')

  await main.getByLabel('Insert a saved reply').selectOption(title)
  await expect(main.getByLabel('Answer')).toHaveValue(/^Dear .+, about Q-.+ “Second .+”: in spring\.$/)
  await main
    .getByLabel(/Attach a file/)
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('April') })
  await expect(main.getByRole('button', { name: 'Remove the file plan.txt' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('button', { name: 'Send answer' }).click()
  await expect(main.getByText('Answered', { exact: true })).toBeVisible()
  await expect(main.getByLabel('Answer')).toHaveValue('')
  await expect(main.getByRole('listitem').filter({ hasText: 'in spring.' })).toContainText('plan.txt')
  // Who answers an inquiry of nobody is assigned to it.
  await expect(main.getByRole('button', { name: 'Assign to me' })).toBeHidden()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // Another one needs no answer.
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Inquiries' }).click()
  await main.getByLabel('Number or email').fill(email)
  await table.getByRole('link', { name: `First ${email}` }).click()
  const close = main.getByRole('button', { name: 'Close without an answer' })
  await close.click()
  const closing = page.getByRole('dialog', { name: 'Close without an answer' })
  await closing.getByLabel('Reason').fill('The same as the other one')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await closing.getByRole('button', { name: 'Close inquiry' }).click()
  await expect(main.getByText('Closed', { exact: true })).toBeVisible()
  await expect(main.getByText('The same as the other one')).toBeVisible()
  await main.getByRole('button', { name: 'Reopen' }).click()
  await expect(main.getByText('Awaiting answer', { exact: true })).toBeVisible()
  await close.click()
  await closing.getByLabel('Reason').fill('Answered by phone')
  await closing.getByRole('button', { name: 'Close inquiry' }).click()
  await expect(main.getByText('Closed', { exact: true })).toBeVisible()

  // The member, who has stayed signed in at the store.
  await page.goto(`${at}/mypages/inquiries`)
  await expect(page.getByRole('listitem').filter({ hasText: `First ${email}` })).toContainText('Closed')
  await main.getByRole('link', { name: 'Answered', exact: true }).click()
  await expect(main.getByRole('link', { name: `First ${email}` })).toHaveCount(0)
  await expect(main.getByRole('link', { name: `Second ${email}` })).toBeVisible()
  await main.getByRole('link', { name: 'Closed', exact: true }).click()
  // The menu of the account is part of it.
  await expect(main.locator('[aria-current]')).toHaveText(['Support', 'Closed'])
  await expect(main.getByRole('link', { name: `First ${email}` })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('link', { name: `Second ${email}` }).click()
  await expect(main).toContainText('in spring.')
  const file = page.waitForEvent('download')
  await main.getByRole('link', { name: /plan\.txt/ }).click()
  expect((await file).suggestedFilename()).toBe('plan.txt')

  await page.goto(`${at}/admin/saved-replies`)
  await main.getByRole('button', { name: `Delete ${title}` }).click()
  await page.getByLabel('Type delete to confirm').fill('delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(main.getByText(title)).toBeHidden()
})

test('a topic is created, ordered, renamed, hidden and deleted, and members choose from what is shown', async ({
  page,
  store,
}, { retry }) => {
  const name = `Festivals ${Date.now().toString(36)}-${retry}`
  const renamed = `${name} and fairs`
  const main = page.getByRole('main')
  const offered = async () => {
    await page.goto('/mypages/inquiries/input')
    return main.getByLabel('Topic').getByRole('option').allTextContents()
  }
  await store.signIn('second@example.com')
  await enterConsole(page, '/inquiries')
  await main.getByRole('link', { name: 'Topics' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Topics of inquiries' })).toBeVisible()
  await main.getByRole('button', { name: 'New topic' }).click()
  const creating = page.getByRole('dialog', { name: 'New topic' })
  await creating.getByLabel('Name', { exact: true }).fill(name)
  await creating.getByLabel('Name (한국어)').fill('영화제')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await creating.getByRole('button', { name: 'Save' }).click()
  await expect(creating).toBeHidden()
  const topics = main.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move up: / }) })
  await expect(topics.last()).toContainText(name)
  await expect(topics.last()).toContainText('0 inquiries')
  await main.getByRole('button', { name: `Move up: ${name}` }).click()
  await expect(topics.last()).not.toContainText(name)
  expect(await axeViolationsInBoth(page)).toEqual([])
  expect((await offered()).at(-2)).toBe(name)

  await page.goto('/admin/inquiry-topics')
  await main.getByRole('button', { name: `Edit ${name}` }).click()
  const editing = page.getByRole('dialog', { name: 'Edit the topic' })
  await expect(editing.getByLabel('Name (한국어)')).toHaveValue('영화제')
  await editing.getByLabel('Name', { exact: true }).fill('')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing).toBeVisible()
  await editing.getByLabel('Name', { exact: true }).fill(renamed)
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing).toBeHidden()
  await main.getByRole('button', { name: `Hide ${renamed}` }).click()
  await expect(topics.filter({ hasText: renamed })).toContainText('Hidden')
  expect(await offered()).not.toContain(renamed)

  await page.goto('/admin/inquiry-topics')
  await main.getByRole('button', { name: `Delete ${renamed}` }).click()
  const question = page.getByRole('alertdialog', { name: `Delete the topic “${renamed}”?` })
  await expect(question.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await question.getByLabel(`Type ${renamed} to confirm`).fill(renamed)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(main.getByRole('button', { name: `Edit ${renamed}` })).toHaveCount(0)
})
