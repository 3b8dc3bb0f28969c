import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type CaptionsFault, CaptionsInvalid } from '#contract/captions.ts'
import { type EditedCue, readCues } from './cues'

/** Reads a caption file of the person's machine. `refusal` says why the last one cannot be read. */
export const useReadCaptions = (language: string) => {
  const { t } = useLingui()
  const [refusal, setRefusal] = useState<string | null>(null)
  const faults: Record<CaptionsFault, string> = {
    EMPTY: t`The file is empty.`,
    TOO_LARGE: t`The file is larger than 10 MB.`,
    NO_TIMES: t`There should be times such as 00:01:02,500 --> 00:01:04,000.`,
    INVALID_TIMES: t`The times should be written as 00:01:02,500 --> 00:01:04,000.`,
    ENDS_BEFORE_START: t`The caption ends before it starts.`,
    NO_CUES: t`The file contains no captions. Choose an SRT or WebVTT file.`,
  }
  const read = async (file: File): Promise<EditedCue[] | null> => {
    try {
      const cues = readCues(new Uint8Array(await file.arrayBuffer()), language)
      setRefusal(null)
      return cues
    } catch (error) {
      if (!(error instanceof CaptionsInvalid)) throw error
      const { fault, line, found } = error
      const reason = faults[fault]
      setRefusal(line === null ? reason : t`Line ${line}: ${reason} Found: ${found}`)
      return null
    }
  }
  return { read, refusal }
}
