/** Names of the invented town. */

export interface Quarter {
  readonly name: string;
  readonly streets: readonly string[];
  /** Workplaces that sell on the market come first. */
  readonly workplaces: readonly string[];
  /** Number of workplaces that sell. */
  readonly shops: number;
  /** The society that people of the quarter prefer. */
  readonly society: string;
}

export const QUARTERS: readonly Quarter[] = [
  {
    name: "Quayside",
    streets: ["Anchor Row", "Tar Lane", "Gull Steps"],
    workplaces: ["fish market", "shipyard", "customs house", "ropewalk"],
    shops: 1,
    society: "rowing club",
  },
  {
    name: "Lantern Hill",
    streets: ["Meridian Street", "Upper Stair", "Comet Close"],
    workplaces: ["instrument maker", "observatory", "school", "library"],
    shops: 1,
    society: "chess circle",
  },
  {
    name: "Millbank",
    streets: ["Weir Road", "Grist Alley", "Swan Bank"],
    workplaces: ["bakery", "brewery", "mill", "dye works"],
    shops: 2,
    society: "brass band",
  },
  {
    name: "Orchard End",
    streets: ["Pear Walk", "Beehive Lane", "Cider Green"],
    workplaces: ["dairy", "orchard", "apiary", "joinery"],
    shops: 3,
    society: "walking club",
  },
  {
    name: "Old Walls",
    streets: ["Bell Court", "Archway", "Scriveners' Yard"],
    workplaces: ["printing house", "town hall", "infirmary", "theatre"],
    shops: 1,
    society: "choir",
  },
];

export const SOCIETIES = ["choir", "rowing club", "chess circle", "brass band", "walking club", "amateur players"];

export const FAMILY_NAMES = [
  ...["Aldous", "Arrowby", "Bellwether", "Brandt", "Carrow", "Castellan", "Dunmore", "Eastley", "Fenwick", "Foxglove"],
  ...["Garnet", "Hallam", "Harrow", "Ibsley", "Kestrel", "Larkin", "Lovage", "Marsh", "Merriweather", "Northcote"],
  ...["Oakes", "Penhallow", "Quill", "Rook", "Sable", "Tamsin", "Thorne", "Underhill", "Vane", "Wren"],
];

export const FIRST_NAMES = [
  ...["Ada", "Agnes", "Ambrose", "Anselm", "Basil", "Beatrix", "Bram", "Cecily", "Clement", "Cora"],
  ...["Dorothea", "Edmund", "Edith", "Elias", "Esme", "Felix", "Flora", "Gideon", "Greta", "Hester"],
  ...["Hugo", "Ida", "Ines", "Isaac", "Jasper", "Jonah", "Judith", "Kit", "Lena", "Leopold"],
  ...["Lucian", "Mabel", "Magnus", "Marta", "Matthias", "Nell", "Nico", "Olive", "Orson", "Otto"],
  ...["Pearl", "Petra", "Quentin", "Rhoda", "Rufus", "Selma", "Silas", "Tess", "Theo", "Viola"],
];
