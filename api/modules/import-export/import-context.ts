import { readTree } from '#api/modules/import-export/tables/categories.ts'
import type { Customer } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { Picture } from '#contract/picture.ts'
import { mediaName, type ReadyMedia } from './import-media.ts'
import { type FileKind, InvalidCell } from './tables/column-codecs.ts'
import type { ImportContext } from './tables/table.ts'

interface ImportInput {
  db: TenantDb
  customer: Customer
  now: string
  plain: Picture
  media: Pick<ReadyMedia, 'found' | 'pictures' | 'files' | 'films'>
  reference: (key: string, kind: FileKind) => string
}

/** Creates the context that the tables of one import or export share, in its transaction. */
export const createImportContext = async ({
  db,
  customer,
  now,
  plain,
  media,
  reference,
}: ImportInput): Promise<ImportContext> => {
  const { tree } = await readTree({ db, customerId: customer.id })
  const { currency, timeZone } = customer.settings.base
  return {
    db,
    customerId: customer.id,
    currency,
    now,
    tree,
    plain,
    films: media.films,
    videos: [],
    pictures: new Map(media.pictures),
    readyPictures: media.pictures,
    files: new Map(media.files),
    named: { products: new Set(), plans: new Set() },
    touched: new Set(),
    facts: {
      currency,
      timeZone,
      categoryPaths: tree.paths,
      reference,
      media: (name, kind) => media.found.get(mediaName(kind, name)) ?? new InvalidCell('must be the path of a file'),
    },
  }
}
