import { expect, type Page } from 'playwright/test'
import { callApi } from './requests'

const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replaceAll('&amp;', '&')

/**
 * The text of the latest mail to an address, with a matching subject if one is given, from the
 * demo's mailbox. Waits until it has arrived. No page is loaded.
 */
export async function latestMail(page: Page, store: string, to: string, subject = /./): Promise<string> {
  const read = async (path: string) => (await callApi(page, store, path)).text
  let path: string | undefined
  await expect
    .poll(async () => {
      const list = await read(`/mailbox?to=${encodeURIComponent(to)}`)
      const mails = list.matchAll(/<a href="(\/mailbox\/[\w-]+\/[0-9a-f-]{36})"[^>]*>(.*?)<\/a>/gs)
      path = [...mails].find(([, , link = '']) => subject.test(textOf(link)))?.[1]
      return path
    })
    .toBeDefined()
  return textOf(await read(path!))
}
