/** How much of a review this page has done, if it does one itself: from 0 to 1. */
export const thought = $state({ share: 0 })
