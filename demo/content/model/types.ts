import type { BannerType, OptionType, PlanCycle, ProductAccess, ProductKind } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { Art } from '../../art/poster.ts'
import type { FileName } from '../../files/files.ts'
import type { Bodies, Phrases } from './phrases.ts'

/** A clip of `demo/media/video`. Several works may show the same one. */
export type VideoName =
  | 'ridgeline'
  | 'tide'
  | 'skyline'
  | 'lanterns'
  | 'bauhaus'
  | 'orbit'
  | 'lesson-brush'
  | 'lesson-chart'
  | 'lesson-code'

export interface DemoCategory {
  readonly slug: string
  readonly name: string
  readonly children?: readonly DemoCategory[]
}

/** One way to obtain a product; amounts in the tenant's minor unit. */
export interface DemoOption {
  readonly name: string
  readonly type: OptionType
  readonly price: number
  readonly listPrice?: number
  readonly days?: number
}

export interface DemoLesson {
  readonly title: string
  readonly summary: string
  readonly video: VideoName
  readonly free?: boolean
}

interface DemoAttachment {
  readonly file: FileName
  /** As the member sees it, with its ending. */
  readonly name: string
  /** To be accepted before the download. */
  readonly confirmation?: string
}

export interface DemoProduct {
  /** The address: `/products/{code}`. */
  readonly code: string
  readonly kind: ProductKind
  readonly access: ProductAccess
  readonly title: string
  readonly summary: string
  /** In the notation of `prose.ts`. */
  readonly story: string
  /** Slugs of the deepest categories it stands in; the first leads the breadcrumb. */
  readonly categories: readonly string[]
  readonly art: Art
  /** FILM has a tall poster and a still; COURSE has a cover with words on it. */
  readonly shape: 'FILM' | 'COURSE'
  readonly tags: readonly string[]
  readonly ageRating?: 'ALL' | '7' | '12' | '15'
  readonly video?: VideoName
  readonly lessons?: readonly DemoLesson[]
  readonly options?: readonly DemoOption[]
  readonly attachments?: readonly DemoAttachment[]
  /** How many further pictures the product page shows. */
  readonly gallery?: number
  /** Gets a large still as well, for the top of pages. */
  readonly hero?: true
  /** Days since it came out. */
  readonly age: number
  /** Days until it goes off sale. */
  readonly leaves?: number
  /** From 0 to 100; views, plays, likes and the default order follow from it. */
  readonly charm: number
}

/** A plan on sale; without categories or products it covers everything on plans. */
export interface DemoPlan {
  readonly code: string
  readonly name: string
  readonly summary: string
  readonly benefits: readonly string[]
  /** Minor units. */
  readonly price: number
  readonly cycle: PlanCycle
  readonly trialDays?: number
  /** Slugs of the categories it covers, with all below them. */
  readonly categories?: readonly string[]
  /** Codes of the products it covers. */
  readonly products?: readonly string[]
  readonly streams: number
  readonly recommended?: true
  readonly onSale?: false
}

/** Where a banner leads, by the names used in the content. */
export type DemoLink =
  | { readonly category: string }
  | { readonly product: string }
  | { readonly plan: string }
  | { readonly url: string }

export interface DemoBanner {
  readonly type: BannerType
  readonly title: string
  readonly text: string
  readonly label?: string
  readonly art?: Pick<Art, 'scene' | 'palette' | 'seed'>
  readonly tone?: 'LIGHT' | 'DARK'
  readonly link?: DemoLink
  /** CUSTOM: in the notation of `prose.ts`. */
  readonly prose?: string
}

export interface DemoNotice {
  readonly title: string
  readonly body: string
  readonly pinned?: true
  readonly attachments?: readonly DemoAttachment[]
  readonly age: number
}

export interface DemoFaq {
  readonly group: string
  readonly question: string
  readonly answer: string
}

export interface DemoPage {
  readonly type: string
  readonly title: string
  readonly body: string
}

export interface DemoMember {
  readonly email: string
  readonly name: string
}

export interface DemoComment {
  readonly product: string
  /** The e-mail's part before the @ of one of the tenant's members. */
  readonly by: string
  readonly body: string
  /** Hours since it was written. */
  readonly hours: number
  readonly replies?: readonly Omit<DemoComment, 'product' | 'replies'>[]
}

/** What member@example.com has done so far, by product codes. */
export interface DemoHistory {
  /** Bought by card, oldest first; each inner list is one order. */
  readonly orders: readonly (readonly {
    readonly product: string
    readonly option: OptionType
    readonly opened?: true
  }[])[]
  readonly liked: readonly string[]
  /** Newest first. */
  readonly viewed: readonly string[]
  /**
   * Left half-way: `share` of the whole, in lesson `lesson` (from 0) where the product has lessons.
   */
  readonly watching: readonly { readonly product: string; readonly share: number; readonly lesson?: number }[]
  /** The operator gives access to everything on a plan, for so many days from now. */
  readonly partnershipDays?: number
  /** A plan paid by card month by month, begun so many days ago. */
  readonly subscription?: { readonly plan: string; readonly days: number }
}

export interface DemoTenant {
  /** What its texts are called in its other languages. */
  readonly phrases?: Phrases
  /**
   * Its long texts in its other languages, by product code, page type, or the title of a notice,
   * question or banner.
   */
  readonly bodies?: Bodies
  readonly code: string
  readonly useCustomer: boolean
  readonly useSite: boolean
  /** Hosts without a port. */
  readonly domains: readonly string[]
  readonly settings: SiteSettings
  /** Letters and shape of the mark that logo and favicon show. */
  readonly brand: DemoBrand
  readonly categories: readonly DemoCategory[]
  readonly products: readonly DemoProduct[]
  readonly plans: readonly DemoPlan[]
  readonly banners: readonly DemoBanner[]
  readonly notices: readonly DemoNotice[]
  readonly faq: readonly DemoFaq[]
  readonly pages: readonly DemoPage[]
  /** Besides member@example.com and second@example.com, who are in every tenant. */
  readonly members: readonly DemoMember[]
  readonly comments: readonly DemoComment[]
  readonly history: DemoHistory
}

export interface DemoBrand {
  readonly mark: 'arc' | 'river' | 'diamond' | 'frame' | 'pause' | 'moon'
  readonly word: string
  readonly colour: string
}
