import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The installation's secret, created on the first start and stored in the data folder. */
export const loadOrCreateSecret = async (dataFolder: string) => {
  const path = join(dataFolder, 'secret')
  const stored = await readFile(path, 'utf8').catch(() => null)
  if (stored) return stored
  const secret = randomBytes(32).toString('base64url')
  await mkdir(dataFolder, { recursive: true })
  await writeFile(path, secret, { mode: 0o600 })
  return secret
}
