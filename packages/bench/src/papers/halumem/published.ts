import type { PublishedTable } from '../registry/paper.ts'

export const TABLE_3: PublishedTable = {
  unit: 'percent',
  columns: [
    'R',
    'Weighted R',
    'Target P',
    'Acc.',
    'FMR',
    'F1',
    'Updating C',
    'Updating H',
    'Updating O',
    'QA C',
    'QA H',
    'QA O',
  ],
  rows: {
    'Medium: Mem0': [42.91, 65.03, 86.26, 60.86, 56.8, 57.31, 25.5, 0.45, 74.02, 53.02, 19.17, 27.81],
    'Medium: Mem0-Graph': [43.28, 65.52, 87.2, 61.86, 55.7, 57.85, 24.5, 0.26, 75.24, 54.66, 19.28, 26.06],
    'Medium: Memobase': [14.55, 25.88, 92.24, 32.29, 80.78, 25.13, 5.2, 0.55, 94.25, 35.33, 29.97, 34.71],
    'Medium: MemOS': [74.07, 84.81, 86.25, 59.55, 44.94, 79.7, 62.11, 0.42, 37.48, 67.23, 15.17, 17.59],
    'Medium: Supermemory': [41.53, 64.76, 90.32, 60.83, 51.77, 56.9, 16.37, 1.15, 82.47, 54.07, 22.24, 23.69],
    'Medium: Zep': [null, null, null, null, null, null, 47.28, 0.42, 52.31, 55.47, 21.92, 22.62],
    'Long: Mem0': [3.23, 11.89, 88.01, 46.01, 87.65, 6.22, 1.45, 0.03, 98.51, 28.11, 17.29, 54.6],
    'Long: Mem0-Graph': [2.24, 10.76, 87.32, 41.26, 88.36, 4.36, 1.47, 0.04, 98.4, 32.44, 21.82, 45.74],
    'Long: Memobase': [6.18, 14.68, 88.56, 25.61, 85.39, 11.55, 4.1, 0.36, 95.38, 33.6, 29.46, 36.96],
    'Long: MemOS': [81.9, 89.56, 82.32, 43.77, 28.85, 82.11, 65.25, 0.29, 34.47, 64.44, 16.61, 18.95],
    'Long: Supermemory': [53.02, 70.73, 85.82, 29.71, 36.86, 65.54, 17.01, 0.58, 82.42, 53.77, 22.21, 24.02],
    'Long: Zep': [null, null, null, null, null, null, 37.35, 0.48, 62.14, 50.19, 22.51, 27.3],
  },
}

export const TABLE_4: PublishedTable = {
  unit: 'percent',
  columns: ['Event', 'Persona', 'Relationship'],
  rows: {
    'Medium: Mem0': [29.69, 33.74, 27.77],
    'Medium: Mem0-Graph': [30.02, 33.71, 26.6],
    'Medium: Memobase': [5.12, 13.38, 6.79],
    'Medium: MemOS': [63.41, 59.77, 62.4],
    'Medium: Supermemory': [28.66, 32.11, 20.67],
    'Medium: Zep': [44.83, 49.75, 38.81],
    'Long: Mem0': [0.92, 3.01, 2.18],
    'Long: Mem0-Graph': [1.1, 2, 1.59],
    'Long: Memobase': [4.09, 5.32, 4.21],
    'Long: MemOS': [70.92, 68.35, 71.68],
    'Long: Supermemory': [38.48, 40.85, 32.61],
    'Long: Zep': [35.76, 39.07, 31.16],
  },
}

export const TABLE_5: PublishedTable = {
  unit: 'minutes',
  columns: ['Dialogue Addition', 'Memory Retrieval', 'Total'],
  rows: {
    'Medium: Mem0': [2768.14, 41.66, 2809.8],
    'Medium: Mem0-Graph': [2840.07, 54.65, 2894.72],
    'Medium: Memobase': [293.3, 139.95, 433.25],
    'Medium: MemOS': [1028.84, 20.52, 1049.37],
    'Medium: Supermemory': [273.21, 95.53, 368.74],
    'Medium: Zep': [null, 53.34, null],
    'Long: Mem0': [691.62, 39.15, 730.77],
    'Long: Mem0-Graph': [870.32, 62.42, 932.74],
    'Long: Memobase': [239.29, 136.19, 375.48],
    'Long: MemOS': [1524.39, 20.96, 1545.34],
    'Long: Supermemory': [1672.53, 137.02, 1809.55],
    'Long: Zep': [null, 50.22, null],
  },
}
