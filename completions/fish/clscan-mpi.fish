# fish completion of clscan-mpi. Written by scripts/make-completions from --help.
complete -c clscan-mpi -f
complete -c clscan-mpi -n __fish_use_subcommand -a scan -d 'scan a file, of which each rank has a part on its own device'
complete -c clscan-mpi -n __fish_use_subcommand -l help -d 'show this text'
complete -c clscan-mpi -n __fish_use_subcommand -l version -d 'print the version'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l type -x -a 'int8 uint8 int16 uint16 int32 uint32 int64 uint64 half float double' -d 'element type of a raw IN'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l op -x -a 'add mul min max and or xor' -d 'add (default), mul, min, max, and, or, xor'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l exclusive -d 'element i of OUT does not include element i of IN'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l reverse -d 'scan from the last element to the first'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l flatten -d 'scan an array of several dimensions as one row'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l init -x -d 'initial value'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l reproducible -d 'sums and products of floating-point numbers have the same bits on every device, with any number of ranks'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l device -x -d 'device of every rank, as for \'clscan scan\' (default'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l config -r -F -d 'config file that comes before all others'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l stats -d 'say ranks, elements, and the time of the slowest rank'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -l help -d 'show this text'
complete -c clscan-mpi -n '__fish_seen_subcommand_from scan' -F
