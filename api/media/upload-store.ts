import { FileStore } from '@tus/file-store'
import { roomNeeded, sizeInWords } from './sources.ts'
import { uploadFolder, uploadLivesMilliseconds } from './uploads.ts'

type Upload = Parameters<FileStore['create']>[0]

interface Place {
  dataFolder: string
  /** Bytes that may be written there and were promised to nobody else, but for one upload. */
  roomLeft: (but: { upload: string }) => Promise<number>
}

/**
 * The uploads of one tenant, as files. One that does not fit on the disk beside what others were promised is refused before its first
 * byte. It is noted first and looked at then, so that of two that come at once each knows of the other.
 */
export class UploadStore extends FileStore {
  readonly #place: Place

  constructor(place: Place, customerId: string) {
    super({
      directory: uploadFolder(place.dataFolder, customerId),
      expirationPeriodInMilliseconds: uploadLivesMilliseconds,
    })
    this.#place = place
  }

  override async create(upload: Upload): Promise<Upload> {
    const created = await super.create(upload)
    try {
      await this.#checkRoom(upload.id, upload.size ?? 0, 0)
    } catch (error) {
      await this.remove(upload.id)
      throw error
    }
    return created
  }

  override async declareUploadLength(id: string, bytes: number) {
    const { offset } = await this.getUpload(id)
    await this.#checkRoom(id, bytes, offset)
    await super.declareUploadLength(id, bytes)
  }

  async #checkRoom(id: string, bytes: number, here: number) {
    const [left, needed] = [await this.#place.roomLeft({ upload: id }), roomNeeded(bytes, { toCopy: true }) - here]
    if (left >= needed) return
    throw {
      status_code: 503,
      body: `The disk is too full: this file needs about ${sizeInWords(needed)}, and ${sizeInWords(left)} are left that other files do not need.`,
    }
  }
}
