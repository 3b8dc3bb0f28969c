import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The installation's own secret: made on the first start and kept beside the data it protects. */
export const loadOrCreateSecret = async (dataFolder: string) => {
  const path = join(dataFolder, 'secret')
  const kept = await readFile(path, 'utf8').catch(() => null)
  if (kept) return kept
  const secret = randomBytes(32).toString('base64url')
  await mkdir(dataFolder, { recursive: true })
  await writeFile(path, secret, { mode: 0o600 })
  return secret
}
