export type RefusalCode =
  | 'NOT_A_VIDEO'
  | 'DAMAGED'
  | 'NO_PICTURE'
  | 'UNREADABLE_CODEC'
  | 'TOO_LARGE'
  | 'TOO_SMALL'
  | 'TOO_LONG'
  | 'BAD_CAPTIONS'
  | 'BAD_AUDIO'
  | 'BAD_CHAPTERS'
  | 'BAD_PREVIEW'

/** The file, or what was wished of it, cannot become a stream. The message is the sentence an operator reads. */
export class VideoRefused extends Error {
  override readonly name = 'VideoRefused'
  readonly code: RefusalCode
  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** There is no ffmpeg on this machine. Nothing is wrong with the file. */
export class EncoderMissing extends Error {
  override readonly name = 'EncoderMissing'
}

/** ffmpeg itself failed, for a reason that need not be the file's: a full disk, memory, a program without an encoder. */
export class EncoderFailed extends Error {
  override readonly name = 'EncoderFailed'
}
