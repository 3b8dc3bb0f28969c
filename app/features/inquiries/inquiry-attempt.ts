export type InquiryField = 'type' | 'title' | 'body'

/** An inquiry's form that was sent without script and refused: what was written, and why. Files have to be chosen again. */
export interface InquiryAttempt {
  values: Record<InquiryField, string>
  /** Fields left empty. */
  fields: InquiryField[]
  code: string | null
}
