import type { Customer } from '#api/context.ts'
import type { TenantDb } from '#api/db/client.ts'
import type { Picture } from '#contract/picture.ts'
import { type FileKind, Wrong } from './cells.ts'
import { mediaName, type ReadyMedia } from './prepare-media.ts'
import type { Work } from './table.ts'
import { readTree } from './tables/categories.ts'

interface Given {
  db: TenantDb
  customer: Customer
  now: string
  plain: Picture
  media: Pick<ReadyMedia, 'found' | 'pictures' | 'files' | 'films'>
  reference: (key: string, kind: FileKind) => string
}

/** What the tables of one import or export stand on, in its transaction. */
export const openWork = async ({ db, customer, now, plain, media, reference }: Given): Promise<Work> => {
  const { tree } = await readTree({ db, customerId: customer.id })
  const { currency, timeZone } = customer.settings.base
  return {
    ...{ db, customerId: customer.id, currency, now, tree, plain, films: media.films, videos: [] },
    ...{ pictures: new Map(media.pictures), readyPictures: media.pictures },
    files: new Map(media.files),
    named: { products: new Set(), plans: new Set() },
    touched: new Set(),
    facts: {
      ...{ currency, timeZone, categoryPaths: tree.paths, reference },
      media: (name, kind) => media.found.get(mediaName(kind, name)) ?? new Wrong('must be the path of a file'),
    },
  }
}
