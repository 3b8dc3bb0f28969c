import { command } from './command'
import { createStore } from './console'

/** A picture of 32 × 32 pixels. */
export const picture = () =>
  import('sharp').then(({ default: sharp }) =>
    sharp({ create: { width: 32, height: 32, channels: 3, background: '#226644' } })
      .png()
      .toBuffer(),
  )

/** A store of its own: what it shows changes while other tests look at the demo's. */
export const openStore = async (baseURL: string, code: string) => {
  await createStore(baseURL, code, 'Harbour')
  await command(baseURL, ['settings', 'set', 'base.locales', 'en,ko', '-c', code])
  await command(baseURL, ['customer', 'open', code, '--force'])
}
