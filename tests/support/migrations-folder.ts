import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Writes migrations that come after all others, each as a list of statements, to a folder as those
 * of a release are. It is removed with the test.
 *
 * @returns the folder
 */
export const writeLaterMigrations = async (migrations: readonly (readonly string[])[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const entries = migrations.map((_, idx) => ({
    idx,
    version: '7',
    when: 9_999_999_999_000 + idx,
    tag: `900${idx}_later`,
    breakpoints: true,
  }))
  for (const { idx, tag } of entries) {
    const text = migrations[idx]?.join(';\n--> statement-breakpoint\n')
    await writeFile(join(folder, `${tag}.sql`), `${text};`)
  }
  await mkdir(join(folder, 'meta'))
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  return folder
}
